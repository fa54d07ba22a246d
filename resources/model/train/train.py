"""Trains the embedded model on one CPU thread: python -m train.train --data D.jsonl --tokenizer T.json --out DIR

A checkpoint is written every 5 minutes to DIR/last.pt; --resume goes on from it.  The cosine schedule follows
max(step / steps, minutes / budget), so that it also ends in time on a busy machine."""
import argparse
import hashlib
import math
import os
import shutil
import sys
import time

import torch

from .batches import batches, collate, encode_file, load_tokenizer
from .model import FIXTURE, MAIN, Model
from .muon import Optimizer


def arguments():
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", required=True)
    ap.add_argument("--tokenizer", required=True)
    ap.add_argument("--out", default=os.path.expanduser("~/.cache/kaikou/train"))
    ap.add_argument("--minutes", type=float, default=85)
    ap.add_argument("--steps", type=int, default=20000)
    ap.add_argument("--tokens", type=int, default=4096, help="tokens in a batch")
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--muon-lr", type=float, default=0.02)
    ap.add_argument("--peak", type=float, default=1.0, help="start of the cosine as a share of the learning rate")
    ap.add_argument("--warmup", type=int, default=60)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--save-minutes", type=float, default=5)
    ap.add_argument("--fixture", action="store_true", help="the tiny test model")
    ap.add_argument("--bf16", action="store_true", help="autocast; half as fast where the CPU has no AMX")
    ap.add_argument("--fp32", action="store_true", help="the default, accepted for older commands")
    ap.add_argument("--init", help="start from the weights of this checkpoint (a second run on better data)")
    ap.add_argument("--resume", action="store_true")
    ap.add_argument("--force", action="store_true")
    return ap.parse_args()


def refuse(text):
    sys.exit("train: " + text)


def prepare(args):
    os.makedirs(args.out, exist_ok=True)
    if shutil.disk_usage(args.out).free < 200 << 20:
        refuse(f"less than 200 MB free in {args.out}")
    last = os.path.join(args.out, "last.pt")
    state = None
    if args.resume:
        if not os.path.isfile(last):
            refuse(f"nothing to resume: {last} is missing")
        state = read_checkpoint(last)
    elif os.path.exists(last) and not args.force:
        refuse(f"{last} exists; use --resume to go on or --force to start again")
    return last, state


def read_checkpoint(path):
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as e:
        refuse(f"{path} is not a whole checkpoint ({type(e).__name__})")
    if "model" not in state or "tokenizer" not in state:
        refuse(f"{path} is not a checkpoint of this trainer")
    return state


def file_hash(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def save(path, model, opt, args, step, minutes, finished):
    if shutil.disk_usage(os.path.dirname(path)).free < 100 << 20:
        print("train: less than 100 MB free, checkpoint not written", flush=True)
        return
    torch.save({"model": model.state_dict(), "opt": opt.state_dict(), "cfg": model.cfg, "vocab": model.vocab, "step": step,
                "minutes": minutes, "finished": finished, "tokenizer": file_hash(args.tokenizer),
                "data": file_hash(args.data), "seed": args.seed, "tokens": args.tokens}, path + ".part")
    os.replace(path + ".part", path)


def validate(model, examples):
    total, count = 0.0, 0
    with torch.no_grad():
        for i in range(0, len(examples), 50):
            ids, labels = collate(sorted(examples, key=lambda e: len(e[0]))[i:i + 50])
            n = int((labels >= 0).sum())
            total += float(model.loss(ids, labels)) * n
            count += n
    return total / count


def run(args, model, opt, examples, held, last, state):
    step, before = (state["step"], state["minutes"]) if state else (0, 0.0)
    start, shown, tokens, losses, saved = time.time(), time.time(), 0, [], time.time()
    for ids, labels in batches(examples, args.tokens, args.seed, step):
        minutes = before + (time.time() - start) / 60
        progress = max(step / args.steps, minutes / args.minutes)
        if progress >= 1:
            break
        scale = min(1.0, (step + 1) / args.warmup) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * progress))) * args.peak
        with torch.autocast("cpu", torch.bfloat16, enabled=args.bf16):
            loss = model.loss(ids, labels)
        loss.backward()
        opt.step(scale)
        step += 1
        tokens += ids.numel()
        losses.append(loss.item())
        if time.time() - shown > 30:
            print(f"step {step} min {minutes:.1f} loss {sum(losses) / len(losses):.4f} lr {scale:.3f} tok/s "
                  f"{tokens / (time.time() - shown):.0f}", flush=True)
            shown, tokens, losses = time.time(), 0, []
        if time.time() - saved > args.save_minutes * 60:
            save(last, model, opt, args, step, minutes, False)
            print(f"checkpoint step {step} min {minutes:.1f} held-out loss {validate(model, held):.4f}", flush=True)
            saved = time.time()
    minutes = before + (time.time() - start) / 60
    save(last, model, opt, args, step, minutes, True)
    print(f"finished step {step} min {minutes:.1f} held-out loss {validate(model, held):.4f}", flush=True)


def main():
    args = arguments()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    last, state = prepare(args)
    tok = load_tokenizer(args.tokenizer)
    if state and state["tokenizer"] != file_hash(args.tokenizer):
        refuse("the checkpoint was made with another tokenizer")
    cfg = state["cfg"] if state else FIXTURE if args.fixture else MAIN
    model = Model(cfg, tok.get_vocab_size())
    print(f"parameters {sum(p.numel() for p in model.parameters())}", flush=True)
    opt = Optimizer(model, args.lr, args.muon_lr)
    if state:
        model.load_state_dict(state["model"])
        opt.load_state_dict(state["opt"])
    elif args.init:
        first = read_checkpoint(args.init)
        if first["tokenizer"] != file_hash(args.tokenizer):
            refuse("the first weights were made with another tokenizer")
        model.load_state_dict(first["model"])
    examples = encode_file(args.data, tok, cfg["context"])
    held = examples[:300]
    print(f"examples {len(examples)} tokens {sum(len(s) for s, _ in examples)}", flush=True)
    run(args, model, opt, examples[300:], held, last, state)


if __name__ == "__main__":
    main()
