"""Muon for the matrices of the layers (orthogonalised momentum), AdamW for embedding and norms."""
import torch


def orthogonalise(g, steps=5):
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g / (g.norm() + 1e-7)
    flip = x.shape[0] > x.shape[1]
    x = x.T if flip else x
    for _ in range(steps):
        s = x @ x.T
        x = a * x + (b * s + c * s @ s) @ x
    return x.T if flip else x


class Optimizer:
    def __init__(self, model, lr, muon_lr, momentum=0.95, decay=0.01):
        named = list(model.named_parameters())
        self.mats = [p for n, p in named if p.dim() == 2 and "embed" not in n and muon_lr > 0]
        chosen = {id(p) for p in self.mats}
        rest = [p for _, p in named if id(p) not in chosen]
        self.adam = torch.optim.AdamW(
            [{"params": [p for p in rest if p.dim() == 2], "weight_decay": decay},
             {"params": [p for p in rest if p.dim() < 2], "weight_decay": 0.0}], lr=lr, betas=(0.9, 0.98), foreach=True)
        self.buf = [torch.zeros_like(p) for p in self.mats]
        self.all = [p for _, p in named]
        self.lr, self.muon_lr, self.momentum, self.decay = lr, muon_lr, momentum, decay

    @torch.no_grad()
    def step(self, scale):
        torch.nn.utils.clip_grad_norm_(self.all, 1.0)
        for p, m in zip(self.mats, self.buf):
            m.lerp_(p.grad, 1 - self.momentum)
            update = orthogonalise(p.grad.lerp(m, self.momentum))
            p.mul_(1 - scale * self.muon_lr * self.decay)
            p.add_(update, alpha=-scale * self.muon_lr * max(1.0, p.shape[0] / p.shape[1]) ** 0.5)
        for group in self.adam.param_groups:
            group["lr"] = self.lr * scale
        self.adam.step()
        for p in self.all:
            p.grad = None

    def state_dict(self):
        return {"adam": self.adam.state_dict(), "muon": self.buf}

    def load_state_dict(self, state):
        self.adam.load_state_dict(state["adam"])
        for mine, other in zip(self.buf, state["muon"]):
            mine.copy_(other)
