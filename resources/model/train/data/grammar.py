"""Tables and the small wording grammar: [a|b|] alternatives, x? optional, {slot} filled from lists."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def fail(text):
    sys.exit("train: " + text)


def lines_of(name):
    path = os.path.join(HERE, name)
    if not os.path.isfile(path):
        fail(f"missing data table {path}")
    with open(path, encoding="utf-8") as f:
        return [s.rstrip("\n") for s in f if s.strip() and not s.startswith("#")]


def load_lists():
    lists = {}
    for name in ("lists.txt", "ooslists.txt"):
        for line in lines_of(name):
            key, _, rest = line.partition(":")
            lists[key.strip()] = rest.split()
    for key in ("animal", "surname", "given", "person", "place"):
        lists[key + "2"] = lists.get(key + "2") or lists[key]
    lists["given3"] = lists["given"]
    lists["ai2"] = lists["ai"]
    lists["year"] = [a + b for a in ("一八四", "一九一", "一九三", "一九七", "一九九", "二零一") for b in "零一五八九"]
    lists["adj"] = ["有趣的", "好听的", "短", "小", "长", "搞笑的", "童话", "睡前", "好玩的", "新的"]
    lists["X"] = lists["animal"] + lists["thing"]
    return lists


def load_blocks(*names):
    """@id weight / patterns / '= answer' / 'x near miss' -> list of dicts.  A later `@id` of a known id adds to it."""
    blocks = {}
    for line in (s for name in names for s in lines_of(name)):
        if line.startswith("@"):
            ident, _, weight = line[1:].partition(" ")
            block = blocks.setdefault(ident, {"id": ident, "weight": float(weight or 1), "q": [], "a": [], "x": []})
        elif line.startswith("= "):
            block["a"].append(line[2:])
        elif line.startswith("x "):
            block["x"].append(line[2:])
        else:
            block["q"].append(line)
    return list(blocks.values())


def load_pairs():
    out = {}
    for line in lines_of("pairs.txt"):
        key, _, rest = line.partition(":")
        out[key] = [tuple(p.split()) for p in rest.strip().split("|")]
    return out


def load_concepts():
    out = []
    for line in lines_of("concepts.txt"):
        names, _, rest = line.partition("=")
        first, *more = rest.split("|")
        out.append({"names": names.split("/"), "first": first, "more": more})
    return out


def load_splits():
    out = []
    for line in lines_of("splits.txt"):
        if "|0." in line and not line.startswith(("[", "{")):
            a, share, b = line.split("|")
            out.append({"a": a, "b": b, "share": float(share), "q": []})
        else:
            out[-1]["q"].append(line)
    return out


class Grammar:
    def __init__(self, lists):
        self.lists = lists
        self.cache = {}

    def parse(self, text):
        if text not in self.cache:
            node, end = self._seq(text, 0, "")
            if end != len(text):
                fail(f"unbalanced pattern: {text}")
            self.cache[text] = node
        return self.cache[text]

    def _seq(self, s, i, stop):
        out = []
        while i < len(s) and s[i] not in stop:
            if s[i] == "[":
                alts = []
                i += 1
                while True:
                    node, i = self._seq(s, i, "|]")
                    if i >= len(s):
                        fail(f"unbalanced pattern: {s}")
                    alts.append(node)
                    i += 1
                    if s[i - 1] == "]":
                        break
                out.append(("alt", alts))
            elif s[i] == "{":
                j = s.index("}", i)
                out.append(("slot", s[i + 1:j]))
                i = j + 1
            elif s[i] == "?" and out:
                out[-1] = ("opt", out[-1])
                i += 1
            else:
                out.append(("txt", s[i]))
                i += 1
        return out, i

    def _emit(self, node, rng, slots, out):
        for kind, val in node:
            if kind == "txt":
                out.append(val)
            elif kind == "alt":
                self._emit(rng.choice(val), rng, slots, out)
            elif kind == "opt":
                if rng.random() < 0.6:
                    self._emit([val], rng, slots, out)
            else:
                if val not in slots:
                    if val not in self.lists:
                        fail(f"unknown slot {{{val}}}")
                    slots[val] = rng.choice(self.lists[val])
                out.append(slots[val])

    def sample(self, pattern, rng, slots=None):
        slots = {} if slots is None else slots
        out = []
        self._emit(self.parse(pattern), rng, slots, out)
        return "".join(out), slots


def fill(text, slots):
    return re.sub(r"\{(\w+)\}", lambda m: slots.get(m.group(1), m.group(0)), text)


def norm(text):
    """Wording without punctuation, spaces and case: what counts as the same question.
    Signs between numbers stay, so that 1+1 and 1-1 differ."""
    text = text.lower().replace("＋", "+").replace("－", "-")
    return re.sub(r"[^\w+\-*×÷/.]|_", "", text).strip(".-")
