"""The evaluation sets in Python: python -m train.evaluate WEIGHTS [--only name,name] [--temp 0.7] [--history 6] [--rows N]

WEIGHTS is a checkpoint (.pt) or a folder made by export.py.  Quick, batched over prompts of equal length."""
import argparse
import glob
import json
import math
import os
import random
import re
import sys

import torch

from .batches import BOS, EOS, load_tokenizer
from .model import Model, from_hf

HERE = os.path.dirname(os.path.abspath(__file__))
EVAL = os.path.join(HERE, "..", "eval")
BUILTIN = os.path.join(HERE, "..", "builtin")


def load(path, tokenizer=None):
    if path.endswith(".pt"):
        from .train import read_checkpoint
        state = read_checkpoint(path)
        cfg, vocab, weights = state["cfg"], state["vocab"], state["model"]
        tok = load_tokenizer(tokenizer or os.path.join(BUILTIN, "tokenizer.json"))
    else:
        from .export import read_config, read_safetensors
        cfg, vocab = read_config(path)
        weights = from_hf(read_safetensors(os.path.join(path, "model.safetensors")))
        tok = load_tokenizer(tokenizer or os.path.join(path, "tokenizer.json"))
    model = Model(cfg, vocab)
    model.load_state_dict(weights)
    return model.eval(), tok


def prompt_ids(tok, messages):
    text = ""
    for m in messages:
        text += ("用户:" if m["role"] == "user" else "助手:") + m["content"] + "\n"
    return [BOS] + tok.encode(text + "助手:", add_special_tokens=False).ids


def fit(tok, messages, limit=400):
    ids = prompt_ids(tok, messages)
    while len(ids) > limit and len(messages) > 2:
        messages = messages[2:]
        ids = prompt_ids(tok, messages)
    return ids


@torch.no_grad()
def generate(model, prompts, temp, top_p, gen, longest=110):
    """Answers (ids, probabilities of the chosen tokens) for prompts of one length."""
    past = [[] for _ in model.layers]
    ids = torch.tensor(prompts)
    out, probs, start = [[] for _ in prompts], [[] for _ in prompts], 0
    done = [False] * len(prompts)
    while not all(done) and start + ids.shape[1] < model.cfg["context"] and len(out[0]) < longest:
        logits = model.head(model.hidden(ids, start, past)[:, -1])
        start += ids.shape[1]
        p = logits.softmax(-1)
        nxt = p.argmax(-1) if temp <= 0 else pick(logits / temp, top_p, gen)
        for i, t in enumerate(nxt.tolist()):
            out[i].append(t if not done[i] else EOS)
            probs[i].append(float(p[i, t]) if not done[i] else 1.0)
            done[i] = done[i] or t == EOS
        ids = nxt[:, None]
    return out, probs


def pick(logits, top_p, gen):
    p, order = logits.softmax(-1).sort(-1, descending=True)
    p = p.masked_fill(p.cumsum(-1) - p >= top_p, 0)
    return order.gather(1, torch.multinomial(p, 1, generator=gen))[:, 0]


def answers(model, tok, rows, temp=0.0, top_p=0.9, seed=1):
    gen = torch.Generator().manual_seed(seed)
    groups, results = {}, {}
    for i, r in enumerate(rows):
        groups.setdefault(len(r["ids"]), []).append(i)
    for members in groups.values():
        for k in range(0, len(members), 64):
            part = members[k:k + 64]
            out, probs = generate(model, [rows[i]["ids"] for i in part], temp, top_p, gen)
            for i, o, p in zip(part, out, probs):
                end = o.index(EOS) if EOS in o else len(o)
                results[i] = (tok.decode(o[:end]), p[:end], EOS in o)
    return [results[i] for i in range(len(rows))]


def accepted(row, text):
    if "answer" in row and text != row["answer"]:
        return False
    if any(f in text for f in row.get("forbidden", [])):
        return False
    return all(any(k in text for k in g) for g in row.get("keywords", []))


def looped(text):
    return re.search(r"(.{4,}?)\1\1", text) is not None


@torch.no_grad()
def answer_probability(model, tok, ids, text):
    tail = tok.encode(text, add_special_tokens=False).ids + [EOS]
    logp = model.head(model.hidden(torch.tensor([ids + tail]))).log_softmax(-1)[0]
    return math.exp(sum(float(logp[len(ids) - 1 + i, t]) for i, t in enumerate(tail)))


def ece(pairs, bins=10):
    total, err = len(pairs), 0.0
    for b in range(bins):
        part = [(p, c) for p, c in pairs if b / bins <= p < (b + 1) / bins or (b == bins - 1 and p == 1.0)]
        if part:
            err += abs(sum(p for p, _ in part) / len(part) - sum(c for _, c in part) / len(part)) * len(part) / total
    return err


def load_rows(name, tok, args, fillers):
    with open(os.path.join(EVAL, name + ".jsonl"), encoding="utf-8") as f:
        rows = [json.loads(s) for s in f]
    rng = random.Random(5)
    if args.rows and len(rows) > args.rows:
        rows = rng.sample(rows, args.rows)
    for r in rows:
        before = []
        for _ in range(args.history):
            q, a = rng.choice(fillers)
            before += [{"role": "user", "content": q}, {"role": "assistant", "content": a}]
        r["ids"] = fit(tok, before + r["messages"])
    return rows


def report_splits(model, tok, rows):
    worst = 0.0
    for r in rows:
        for text, share in r["split"].items():
            p = answer_probability(model, tok, r["ids"], text + "。")
            gap = abs(p - share)
            worst = max(worst, gap)
            if gap > 0.08:
                print(f"    {r['messages'][-1]['content']} P({text}) {p:.3f} designed {share}")
    print(f"splits: largest gap {worst:.3f}")


def report(model, tok, name, rows, args):
    if name == "splits":
        return report_splits(model, tok, rows)
    temp = 0.8 if name == "stories" else args.temp
    res = answers(model, tok, rows, temp)
    good = [accepted(r, t) for r, (t, _, _) in zip(rows, res)]
    line = f"{name}: {sum(good)}/{len(rows)} = {sum(good) / len(rows):.1%}"
    if name == "half_learned":
        joint = [(math.prod(p), g) for (_, p, _), g in zip(res, good)]
        line += f"  mean p {sum(p for p, _ in joint) / len(joint):.3f}  ECE {ece(joint):.3f}"
    if name == "stories":
        ended = sum(t.endswith("。") and e for t, _, e in res)
        line += f"  distinct {len({t for t, _, _ in res})} complete {ended}"
    loops = sum(looped(t) for t, _, _ in res)
    print(line + (f"  loops {loops}" if loops else ""))
    if args.show:
        for r, (t, p, _), g in zip(rows, res, good):
            if not g or args.show > 1:
                print(f"    {'ok ' if g else 'BAD'} {r['messages'][-1]['content']} -> {t}")
    sys.stdout.flush()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("weights")
    ap.add_argument("--tokenizer")
    ap.add_argument("--only")
    ap.add_argument("--temp", type=float, default=0.0)
    ap.add_argument("--history", type=int, default=0)
    ap.add_argument("--rows", type=int, default=0)
    ap.add_argument("--show", type=int, default=0, help="1: failures, 2: all")
    args = ap.parse_args()
    torch.set_num_threads(1)
    model, tok = load(args.weights, args.tokenizer)
    names = sorted(os.path.basename(p)[:-6] for p in glob.glob(os.path.join(EVAL, "*.jsonl")))
    if args.only:
        names = [n for n in names if n in args.only.split(",")]
    if not names:
        sys.exit("train: no such evaluation set")
    with open(os.path.join(EVAL, "in_scope.jsonl"), encoding="utf-8") as f:
        fillers = [(r["messages"][0]["content"], r["reference"]) for r in map(json.loads, f)]
    for name in names:
        report(model, tok, name, load_rows(name, tok, args, fillers), args)


if __name__ == "__main__":
    main()
