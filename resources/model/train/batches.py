"""Dialogues -> id sequences exactly as the product builds them, in batches of like length."""
import json
import os
import random
import sys

import torch
from tokenizers import Tokenizer

BOS, EOS, PAD = 0, 1, 2


def load_tokenizer(path):
    if not os.path.isfile(path):
        sys.exit(f"train: missing tokenizer {path}; run python -m train.tokenizer first")
    tok = Tokenizer.from_file(path)
    if [tok.token_to_id(s) for s in ("<bos>", "<eos>", "<pad>")] != [BOS, EOS, PAD]:
        sys.exit(f"train: {path} is not a tokenizer of this trainer (special tokens differ)")
    return tok


def encode_file(path, tok, context):
    """[(ids, labels)]: every answer token and the end after every answer carries loss."""
    if not os.path.isfile(path):
        sys.exit(f"train: missing data {path}; run python -m train.data.generate first")
    with open(path, encoding="utf-8") as f:
        dialogues = [json.loads(s) for s in f]
    texts = [t for d in dialogues for q, a in d for t in (f"用户:{q}\n助手:", a)]
    ids = []
    for i in range(0, len(texts), 20000):
        ids += [e.ids for e in tok.encode_batch(texts[i:i + 20000], add_special_tokens=False)]
    newline = tok.encode("\n").ids
    out, at = [], 0
    for n, d in enumerate(dialogues):
        seq, lab = [BOS], []
        for i in range(len(d)):
            prompt, answer = ids[at], ids[at + 1]
            at += 2
            if i:
                seq += newline
            lab += [-100] * (len(seq) - len(lab))
            seq += prompt
            lab += [-100] * (len(prompt) - 1) + answer + [EOS]
            lab = lab[:len(seq) - 1 + len(answer) + 1]
            seq += answer
        if n < 1000:
            whole = tok.encode("\n".join(f"用户:{q}\n助手:{a}" for q, a in d), add_special_tokens=False).ids
            if [BOS] + whole != seq or len(lab) != len(seq):
                sys.exit("train: parts and whole tokenise differently; wrong tokenizer")
        if len(seq) <= context:
            out.append((seq, lab))
    return out


def batches(examples, tokens, seed, skip=0):
    """Endless (ids, labels) tensors; the same order for the same seed; skip = batches already used."""
    epoch = 0
    while True:
        rng = random.Random(seed * 1000003 + epoch)
        order = list(range(len(examples)))
        rng.shuffle(order)
        groups = []
        for w in range(0, len(order), 8192):
            window = sorted(order[w:w + 8192], key=lambda i: len(examples[i][0]))
            local, cur = [], []
            for i in window:
                if cur and (len(cur) + 1) * len(examples[i][0]) > tokens:
                    local.append(cur)
                    cur = []
                cur.append(i)
            local.append(cur)
            rng.shuffle(local)
            groups += local
        for g in groups:
            if skip > 0:
                skip -= 1
                continue
            yield collate([examples[i] for i in g])
        epoch += 1


def collate(items):
    width = max(len(s) for s, _ in items)
    ids = torch.full((len(items), width), PAD)
    labels = torch.full((len(items), width), -100)
    for r, (s, l) in enumerate(items):
        ids[r, :len(s)] = torch.tensor(s)
        labels[r, :len(l)] = torch.tensor(l)
    return ids, labels
