"""The decoder: Hugging Face llama shape (RMSNorm, half-split RoPE, GQA, SwiGLU, tied head) in plain PyTorch."""
import torch
import torch.nn.functional as F
from torch import nn

MAIN = {"hidden": 256, "layers": 5, "heads": 4, "kv_heads": 2, "ffn": 512, "context": 512, "theta": 10000.0, "eps": 1e-5}
FIXTURE = {"hidden": 32, "layers": 2, "heads": 4, "kv_heads": 2, "ffn": 64, "context": 512, "theta": 10000.0, "eps": 1e-5}


class RMSNorm(nn.Module):
    def __init__(self, dim, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x):
        return F.rms_norm(x.float(), (x.shape[-1],), self.weight, self.eps)


def rope_tables(cfg):
    dim = cfg["hidden"] // cfg["heads"]
    freq = cfg["theta"] ** (-torch.arange(0, dim, 2).float() / dim)
    angle = torch.outer(torch.arange(cfg["context"]).float(), freq)
    angle = torch.cat((angle, angle), -1)
    return angle.cos(), angle.sin()


def rotate(x, cos, sin):
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat((-b, a), -1) * sin


class Block(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d, self.h, self.g = cfg["hidden"], cfg["heads"], cfg["kv_heads"]
        self.hd = d // self.h
        lin = lambda i, o: nn.Linear(i, o, bias=False)
        self.input_layernorm, self.post_attention_layernorm = RMSNorm(d, cfg["eps"]), RMSNorm(d, cfg["eps"])
        self.q_proj, self.k_proj, self.v_proj = lin(d, d), lin(d, self.g * self.hd), lin(d, self.g * self.hd)
        self.o_proj = lin(d, d)
        self.gate_proj, self.up_proj, self.down_proj = lin(d, cfg["ffn"]), lin(d, cfg["ffn"]), lin(cfg["ffn"], d)

    def forward(self, x, cos, sin, past=None):
        b, t, _ = x.shape
        y = self.input_layernorm(x)
        heads = lambda z, n: z.view(b, t, n, self.hd).transpose(1, 2)
        q = rotate(heads(self.q_proj(y), self.h), cos, sin)
        k = rotate(heads(self.k_proj(y), self.g), cos, sin)
        v = heads(self.v_proj(y), self.g)
        if past is not None:
            if past:
                k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
            past[:] = [k, v]
        rep = self.h // self.g
        k, v = k.repeat_interleave(rep, 1), v.repeat_interleave(rep, 1)
        y = F.scaled_dot_product_attention(q, k.to(q.dtype), v.to(q.dtype), is_causal=t > 1)
        x = x + self.o_proj(y.transpose(1, 2).reshape(b, t, -1))
        y = self.post_attention_layernorm(x)
        return x + self.down_proj(F.silu(self.gate_proj(y)) * self.up_proj(y))


class Model(nn.Module):
    def __init__(self, cfg, vocab):
        super().__init__()
        self.cfg, self.vocab = cfg, vocab
        self.embed_tokens = nn.Embedding(vocab, cfg["hidden"])
        self.layers = nn.ModuleList(Block(cfg) for _ in range(cfg["layers"]))
        self.norm = RMSNorm(cfg["hidden"], cfg["eps"])
        cos, sin = rope_tables(cfg)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        for name, p in self.named_parameters():
            if p.dim() == 2:
                std = 0.02 if "embed" in name else p.shape[1] ** -0.5
                if name.endswith(("o_proj.weight", "down_proj.weight")):
                    std /= (2 * cfg["layers"]) ** 0.5
                nn.init.normal_(p, 0.0, std)

    def hidden(self, ids, start=0, past=None):
        x = self.embed_tokens(ids)
        cos, sin = self.cos[start:start + ids.shape[1]], self.sin[start:start + ids.shape[1]]
        for i, layer in enumerate(self.layers):
            x = layer(x, cos, sin, None if past is None else past[i])
        return self.norm(x)

    def head(self, h):
        return F.linear(h, self.embed_tokens.weight)

    def loss(self, ids, labels):
        h = self.hidden(ids)
        mask = labels >= 0
        return F.cross_entropy(self.head(h[mask]).float(), labels[mask])


def to_hf(model):
    """State dict under Hugging Face names; the head is tied and therefore left out."""
    out = {}
    for name, p in model.state_dict().items():
        part = name.rsplit(".", 2)
        if part[-2] in ("q_proj", "k_proj", "v_proj", "o_proj"):
            name = f"{part[0]}.self_attn.{part[1]}.weight"
        elif part[-2] in ("gate_proj", "up_proj", "down_proj"):
            name = f"{part[0]}.mlp.{part[1]}.weight"
        out["model." + name] = p
    return out


def from_hf(state):
    short = lambda n: n.removeprefix("model.").replace("self_attn.", "").replace("mlp.", "")
    return {short(n): t.float() for n, t in state.items()}
