"""Writes the fixed evaluation sets (../../eval/*.jsonl) from eval_source.txt and evalsplits.txt:
python -m train.data.make_eval [--force] [--only NAME ...]
They are written once, before training, and not changed for the weights that are measured with them. Some are drawn from
the wording grammars, so a later grammar draws others: --only writes just the named files."""
import argparse
import json
import os
import random
import sys

from . import recall, skills
from .generate import EVAL, Source
from .grammar import lines_of, load_splits, norm

DECLINED = ["没学过", "不知道", "答不上来", "没看懂"]
FORBID = ["这个我没学过", "我没学过这个", "这个我不知道", "这个我答不上来", "我不知道，我学的"]


DISTRESS = "告诉老师或家人"
HAND = ("first_minute", "paraphrase", "distress", "calm", "near_miss", "splits")
DRAWN = ("out_of_scope", "in_scope", "arithmetic", "half_learned", "recall", "stories")


def groups(text):
    if text == "":
        return []
    if text == "X":
        return [[DISTRESS]]
    out = []
    for part in text.split("&"):
        words = part.strip().split("/")
        out.append([w for x in words for w in (DECLINED if x == "D" else [x])])
    return out


def row(messages, keywords, kind, **more):
    roles = ("user", "assistant")
    msgs = [{"role": roles[i % 2], "content": m} for i, m in enumerate(messages)]
    return {"messages": msgs, "keywords": keywords, "kind": kind, **more}


def sections():
    out, name = {}, ""
    for line in open(os.path.join(os.path.dirname(__file__), "eval_source.txt"), encoding="utf-8"):
        line = line.rstrip("\n")
        if line.startswith("## "):
            name = line[3:]
            out[name] = []
        elif line:
            q, _, k = line.partition(" =>")
            out[name].append((q, k.strip()))
    return out


def first_minute(items):
    rows = []
    for n, (qs, k) in enumerate(items, 1):
        k = k.replace(" !", "")
        for i, q in enumerate(qs.split("|")):
            more = {"forbidden": FORBID} if "笑话" in q else {}
            if k == "没学过" or k == "D":
                more["forbidden"] = list("0123456789")
            rows.append(row([q], groups(k), "first_minute", id=f"fm{n:02d}.{i}", **({"trained": True} if i == 0 else {}), **more))
    return rows


def plain(items, kind):
    rows = []
    for n, (q, k) in enumerate(items, 1):
        forbidden = {"paraphrase": FORBID, "oos": list("0123456789"), "calm": [DISTRESS]}.get(kind)
        more = {"forbidden": forbidden} if forbidden else {}
        rows.append(row([q], groups(k), kind, id=f"{kind}{n:03d}", **more))
    return rows


def sampled_oos(src, count):
    rows, seen = [], set()
    while len(rows) < count:
        q, _ = src.oos_()
        if q not in seen:
            seen.add(q)
            rows.append(row([q], [DECLINED], "oos", id=f"oosg{len(rows):03d}", forbidden=list("0123456789")))
    return rows


def in_scope(src, count, taken):
    """Questions of taught kinds in sampled wordings: none may be declined."""
    rows, seen = [], set(taken)
    kinds = ["intents", "concepts", "conceptqa", "facts", "pairs", "calendar", "intents", "concepts"]
    while len(rows) < count:
        q, a = getattr(src, src.rng.choice(kinds) + "_")()
        if norm(q) not in seen and not any(f in a for f in FORBID) and len(q) > 4:
            seen.add(norm(q))
            rows.append(row([q], [], "in_scope", id=f"in{len(rows):03d}", forbidden=FORBID, reference=a))
    return rows


def arithmetic(rng, count):
    rows, seen = [], set()
    while len(rows) < count:
        a, b, op = rng.randrange(100), rng.randrange(100), rng.choice("++-")
        if op == "-" and a < b and rng.random() < 0.8:
            a, b = b, a
        if (a, op, b) in seen or (a < 10 and b < 10):
            continue
        seen.add((a, op, b))
        r = a + b if op == "+" else a - b
        q = rng.choice(["{}{}{}", "{}{}{}=", "{}{}{}等于几", "{}{}{}=？"]).format(a, op, b)
        held = [[a, op, b]] + ([[b, op, a]] if op == "+" else [])
        rows.append(row([q], [[f"得{r}。", f"={r}。"]], "arithmetic", id=f"ar{len(rows):03d}", held=held))
    return rows


def mental(rng, count):
    rows, seen = [], set()
    while len(rows) < count:
        a, b = skills.mental_pair(rng)
        if (a, b) in seen:
            continue
        seen.add((a, b))
        rows.append(row([f"心算{a}+{b}"], [], "half_learned", answer=f"{a + b}。", id=f"half{len(rows):03d}", held=[[a, "m", b]]))
    return rows


def recall_rows(src, rng, count):
    rows = []
    while len(rows) < count:
        state, turns = {}, []
        q, a = recall.tell(rng, src.lists, state, set())
        turns += [q, a]
        for _ in range(1 + len(rows) % 3):
            kind = rng.choice(["intents", "concepts", "facts", "oos", "arith", "pairs"])
            q, a = getattr(src, kind + "_")()
            turns += [q, a]
        if any(t.startswith("你还没有告诉我") for t in turns):
            continue
        q, a = recall.ask(rng, state)
        name = state.get("name")
        value = name or list(state.values())[0]
        more = {"held": [name]} if name else {}
        rows.append(row(turns + [q], [[value]], "recall", id=f"re{len(rows):03d}", **more))
    return rows


def splits():
    shares = {(s["a"], s["b"]): s["share"] for s in load_splits()}
    rows = []
    for n, line in enumerate(lines_of("evalsplits.txt")):
        pair, *qs = line.split("|")
        a, b = pair.split()
        for i, q in enumerate(qs):
            share = shares[(a, b)]
            rows.append(row([q], [[a, b]], "split", id=f"sp{n}.{i}", split={a: share, b: round(1 - share, 2)},
                            **({"trained": True} if i == 0 else {})))
    return rows


def stories(src, rng, count):
    xs = sorted(set(src.lists["X"]))
    rng.shuffle(xs)
    return [row([f"讲一个关于{x}的故事"], [[x]], "story", id=f"st{i:02d}", trained=True) for i, x in enumerate(xs[:count])]


def by_hand(sec):
    return {"first_minute": first_minute(sec["first_minute"]), "paraphrase": plain(sec["paraphrase"], "paraphrase"),
            "distress": plain(sec["distress"], "distress"), "calm": plain(sec["calm"], "calm"),
            "near_miss": plain(sec["near"], "near"), "splits": splits()}


def drawn(sec, first):
    rng = random.Random(4242)
    src = Source(rng, set())
    hand = plain(sec["oos"], "oos")
    files = {"out_of_scope": hand + sampled_oos(src, 200 - len(hand))}
    files["in_scope"] = in_scope(src, 200, {norm(r["messages"][0]["content"]) for r in first})
    files["arithmetic"] = arithmetic(rng, 200)
    files["half_learned"] = mental(rng, 200)
    files["recall"] = recall_rows(src, rng, 120)
    files["stories"] = stories(src, rng, 50)
    return files


def main():
    parser = argparse.ArgumentParser(description="Writes the fixed evaluation sets.")
    parser.add_argument("--force", action="store_true", help="write over sets that exist")
    parser.add_argument("--only", nargs="+", choices=HAND + DRAWN, default=HAND + DRAWN, metavar="NAME",
                        help="write only these: " + ", ".join(HAND + DRAWN))
    args = parser.parse_args()
    old = [n for n in args.only if os.path.exists(os.path.join(EVAL, n + ".jsonl"))]
    if old and not args.force:
        sys.exit(f"train: evaluation sets exist and are fixed ({', '.join(old)}); --force writes them again")
    sec = sections()
    files = by_hand(sec)
    if set(args.only) & set(DRAWN):
        files.update(drawn(sec, files["first_minute"]))
    os.makedirs(EVAL, exist_ok=True)
    for name in args.only:
        with open(os.path.join(EVAL, name + ".jsonl"), "w", encoding="utf-8") as f:
            for r in files[name]:
                f.write(json.dumps(r, ensure_ascii=False) + "\n")
        print(name, len(files[name]))


if __name__ == "__main__":
    main()
