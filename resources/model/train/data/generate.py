"""Seeded generator of the training dialogues: python -m train.data.generate OUT [--turns N] [--seed S]

One JSON line per dialogue: [[question, answer], ...].  Prints the SHA-256 of the bytes written, which is
the same every time.  No last question of the fixed evaluation sets (../../eval) is ever written."""
import argparse
import glob
import hashlib
import json
import os
import random
import re
import shutil

from . import creative, recall, skills
from .grammar import (Grammar, HERE, fail, fill, lines_of, load_blocks, load_concepts, load_lists, load_pairs,
                      load_splits, norm)
from .noise import noisy

EVAL = os.path.normpath(os.path.join(HERE, "..", "..", "eval"))
MIX = {"intents": 32, "concepts": 19, "conceptqa": 5, "facts": 4.5, "near": 5.5, "oos": 12, "nonsense": 2.5, "beyond": 2.5,
       "english": 1.5, "distress": 11, "calm": 8, "splits": 10, "arith": 14, "mental": 5, "compare": 3.5, "calendar": 2.5,
       "pairs": 6, "count": 2.5, "repeat": 2.5, "tell": 3.5, "ask": 3.5, "story": 2.6, "poem": 1.0, "joke": 2.0}
TURNS = [(1, 52), (2, 20), (3, 11), (4, 6), (5, 4), (6, 3), (7, 2), (8, 1), (12, 1), (18, 0.6)]
DECLINE = ["这个我没学过。", "这个我不知道。", "这个我答不上来。", "这个我没学过，可以问我一百以内的加减法。", "这个我不知道，不过我可以讲个故事。",
           "这个我答不上来，可以问我什么是温度。", "这个我没学过，换个问题吧。", "这个我不知道，请问问老师或查查书。", "我没学过这个，可以让我讲个笑话。",
           "我不知道，我学的东西很少。", "我没学过这个，可以问我语言模型的事。", "这个我没学过。可以问我加减法，或让我讲个故事。"]
NONSENSE = ["我没看懂，请换一种说法。", "我没看懂，可以再打一遍吗？", "我没看懂，你可以问我加减法，或让我讲个故事。"]
ENGLISH = ["我只会说中文，请用中文问我。", "我只会说中文，英语我没学过。"]
ORDINARY = ["word", "thing", "fruit", "food", "animal", "sport"]
ALIEN = ["sci", "chem", "space", "hist", "geo", "med", "law", "mathx", "lingx", "art", "feast", "econ", "body", "plantx", "brand", "job", "tool", "idiom", "person",
         "event", "gamex", "showx", "bookx", "country", "thingx"]
DISTRESS = "你说的这件事很重要。我只是一个小程序，帮不了你，请现在就告诉老师或家人，他们会帮你。"


class Source:
    def __init__(self, rng, held):
        self.rng, self.held = rng, held
        self.lists = load_lists()
        self.lists["x"] = self.lists["x2"] = self.lists["x3"] = self.pool = self._chars()
        self.g = Grammar(self.lists)
        self.intents = {b["id"]: b for b in load_blocks("intents.txt")}
        self.weighted = [b for b in self.intents.values() if b["a"] and b["weight"]]
        self.calm = load_blocks("calm.txt")
        self.frames, self.split_frames = lines_of("frames.txt"), lines_of("split_frames.txt")
        self.conceptqa = load_blocks("conceptqa.txt")
        self.facts = load_blocks("facts.txt")
        self.concepts, self.pairs, self.split = load_concepts(), load_pairs(), load_splits()
        self.oos, self.sad, self.eng = lines_of("oos.txt"), lines_of("distress.txt"), lines_of("english.txt")
        self.nouns = lines_of("oosnouns.txt")
        self.lists["noun"], self.lists["alien"] = self._nouns(ORDINARY), self._nouns(ORDINARY + ALIEN)
        self.asked = {}  # (split, slot) -> a wording and the answers it still gets

    def _chars(self):
        text = "".join(open(os.path.join(HERE, n), encoding="utf-8").read() for n in sorted(os.listdir(HERE)) if n.endswith(".txt"))
        seen = sorted(set(re.findall(r"[\u4e00-\u9fff]", text)))
        level1 = [bytes([r, c]).decode("gb2312") for r in range(0xB0, 0xD7) for c in range(0xA1, 0xFA)]
        return seen * 4 + level1

    def _nouns(self, keys):
        known = {n for c in self.concepts for n in c["names"]} | {"语言", "开口", "温度", "概率", "谢谢", "再见", "故事", "校长", "老师", "班主任", "幸福", "新年快乐", "牛"}
        names = [w for k in keys for w in self.lists[k]]
        return sorted({w for w in names if w not in known})

    def block(self, b):
        q, slots = self.g.sample(self.rng.choice(b["q"]), self.rng, {})
        return q, fill(self.rng.choice(b["a"]), slots)

    def intents_(self):
        b = self.rng.choices(self.weighted, [b["weight"] for b in self.weighted])[0]
        return self.block(b)

    def concepts_(self):
        c = self.rng.choice(self.concepts)
        name = c["names"][0] if self.rng.random() < 0.6 else self.rng.choice(c["names"])
        return self.framed(name), f"{c['first']}，{self.rng.choice(c['more'])}。"

    def framed(self, name):
        return self.g.sample(self.rng.choice(self.frames), self.rng, {"n": name})[0]

    def conceptqa_(self):
        return self.block(self.rng.choice(self.conceptqa))

    def facts_(self):
        b = self.rng.choice(self.facts)
        q, a = self.block(b)
        for key in re.findall(r"\{(\w+)\}", a):
            found = [w for w in ("小猫", "小狗", "小鸟", "鸭子", "兔子", "正方形", "长方形", "牛奶", "白云", "猫", "狗", "马", "牛", "鸟", "鸡", "雪") if w in q]
            a = a.replace("{" + key + "}", found[0])
        return q, a

    def near_(self):
        b = self.rng.choice([b for b in self.facts if b["x"]])
        return self.g.sample(self.rng.choice(b["x"]), self.rng)[0], self.rng.choice(DECLINE)

    def oos_(self):
        r, rng = self.rng.random(), self.rng
        if r < 0.25:  # the frames of the concept questions around words outside the field
            return self.framed(rng.choice(self.lists["alien"])), rng.choice(DECLINE)
        table = self.nouns if r < 0.38 else self.oos
        return self.g.sample(rng.choice(table), rng)[0], rng.choice(DECLINE)

    def nonsense_(self):
        r, rng = self.rng.random(), self.rng
        if r < 0.4:
            row = rng.choice(["asdfghjkl", "qwertyuiop", "zxcvbnm", "abcdefghijklmnopqrstuvwxyz", "fjdksla", "hjkl"])
            q = "".join(rng.choice(row) for _ in range(rng.randrange(3, 14)))
            q = row[rng.randrange(3):][:rng.randrange(4, 12)] if rng.random() < 0.2 else q
        elif r < 0.65:
            q = "".join(rng.choice(self.pool) for _ in range(rng.randrange(3, 10)))
        elif r < 0.8:
            q = "".join(rng.choice("0123456789") for _ in range(rng.randrange(3, 12)))
        elif r < 0.9:
            q = "".join(rng.choice("?？!！。，.,…~@#￥%&*、；") for _ in range(rng.randrange(1, 6)))
        else:
            q = "".join(rng.choice("😀😂🐱🌙❤👍🎉αβ☆★ёжあいうㄱ") for _ in range(rng.randrange(1, 5)))
        return q, rng.choice(NONSENSE)

    def beyond_(self):
        return skills.beyond(self.rng)

    def english_(self):
        return self.g.sample(self.rng.choice(self.eng), self.rng)[0], self.rng.choice(ENGLISH)

    def distress_(self):
        return self.g.sample(self.rng.choice(self.sad), self.rng)[0], DISTRESS

    def calm_(self):
        b = self.rng.choices(self.calm, [b["weight"] * len(b["q"]) for b in self.calm])[0]
        return self.block(b)

    def splits_(self):
        """One of 60 wordings in use; each is asked ten times, answered in the designed share, and then replaced."""
        s, slot = self.rng.choice(self.split), self.rng.randrange(60)
        q, answers = self.asked.get((s["a"], slot), ("", []))
        if not answers:
            frame = self.rng.choice(s["q"] if self.rng.random() < 0.4 else self.split_frames)
            q, _ = self.g.sample(frame, self.rng, {"A": s["a"], "B": s["b"]})
            answers = skills.shared(self.rng, s["share"])
            self.asked[(s["a"], slot)] = (q, answers)
        return q, (s["a"] if answers.pop() else s["b"]) + "。"

    def arith_(self):
        return skills.arithmetic(self.rng, self.held)

    def mental_(self):
        return skills.mental(self.rng, self.held)

    def compare_(self):
        return skills.compare(self.rng, self.held)

    def calendar_(self):
        return skills.calendar(self.rng)

    def pairs_(self):
        key = self.rng.choices(["opp", "thingcolor", "animalsound", "animaleat", "animalplace"], [4, 2, 1, 1, 1])[0]
        return skills.pair_skill(self.rng, self.pairs, key)

    def count_(self):
        return skills.count(self.rng, self.pool, self.lists, self.held)

    def repeat_(self):
        return skills.repeat(self.rng, self.pool, self.lists, self.held)

    def themed(self, plain, themed, make):
        rng = self.rng
        if rng.random() < 0.6:
            x = rng.choice(self.lists["X"])
            q, _ = self.g.sample(rng.choice(self.intents[themed]["q"]), rng, {"X": x})
        else:
            x = rng.choice(self.lists["animal"])
            q, _ = self.g.sample(rng.choice(self.intents[plain]["q"]), rng)
        return q, make(rng, x)

    def story_(self):
        return self.themed("storyq", "storyx", creative.story)

    def poem_(self):
        return self.themed("poemq", "poemx", creative.poem)

    def joke_(self):
        q, _ = self.g.sample(self.rng.choice(self.intents["jokeq"]["q"]), self.rng)
        return q, creative.joke(self.rng, self.lists)


def load_held():
    """What the evaluation sets hold back: questions, sums, words and names."""
    files = sorted(glob.glob(os.path.join(EVAL, "*.jsonl")))
    if not files:
        fail(f"no evaluation sets in {EVAL}; write them before the data")
    questions, held, trained = set(), set(), set()
    for path in files:
        for line in open(path, encoding="utf-8"):
            row = json.loads(line)
            last = row["messages"][-1]["content"]
            if row.get("trained"):
                trained.add(norm(last))
                continue
            if row.get("kind") != "recall":
                questions.add(norm(last))
            for h in row.get("held", []):
                held.add(tuple(h) if isinstance(h, list) else h)
    if questions & trained:
        fail(f"evaluation questions both trained and held back: {sorted(questions & trained)}")
    return questions, held


def dialogue(src, rng, kinds, weights, banned, questions):
    n = rng.choices([t for t, _ in TURNS], [w for _, w in TURNS])[0]
    state, turns = {}, []
    while len(turns) < n:
        kind = rng.choices(kinds, weights)[0]
        if kind == "tell" or (kind == "ask" and not state):
            q, a = recall.tell(rng, src.lists, state, banned)
            kind = "tell"
            n = max(n, len(turns) + 2 + rng.choice([0, 0, 1, 2, 3]))
        elif kind == "ask" or (state and len(turns) == n - 1 and rng.random() < 0.8):
            (q, a), kind = recall.ask(rng, state), "ask"
        else:
            q, a = getattr(src, kind + "_")()
            if state and a.startswith("你还没有告诉我"):
                continue
        q = noisy(q, kind, rng)
        if kind not in ("ask", "tell") and norm(q) in questions and q.strip():
            continue
        if sum(len(x) + len(y) for x, y in turns) + len(q) + len(a) > 690:
            break
        turns.append([q, a])
    return turns


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("--turns", type=int, default=420000)
    ap.add_argument("--seed", type=int, default=20261)
    ap.add_argument("--force", action="store_true")
    args = ap.parse_args()
    if os.path.exists(args.out) and not args.force:
        fail(f"{args.out} exists; use --force to write it again")
    folder = os.path.dirname(os.path.abspath(args.out))
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        fail(f"cannot make the folder {folder}: {error.strerror}")
    if shutil.disk_usage(folder).free < 400 << 20:
        fail(f"less than 400 MB free in {folder}")
    rng = random.Random(args.seed)
    questions, held = load_held()
    src = Source(rng, held)
    kinds, weights = list(MIX), list(MIX.values())
    digest, turns, dialogues = hashlib.sha256(), 0, 0
    with open(args.out + ".part", "wb") as f:
        while turns < args.turns:
            d = dialogue(src, rng, kinds, weights, held, questions)
            if not d:
                continue
            line = (json.dumps(d, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
            digest.update(line)
            f.write(line)
            turns += len(d)
            dialogues += 1
    os.replace(args.out + ".part", args.out)
    print(f"dialogues {dialogues} turns {turns} sha256 {digest.hexdigest()}")


if __name__ == "__main__":
    main()
