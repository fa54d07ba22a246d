"""The generator of the training dialogues: the same bytes every time, nothing of the evaluation sets, clear refusals.

check_data.py SOURCE_DIR; prints one line per check in the form of a test program and exits 1 if one fails."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

TURNS, SEED = "6000", "1"
failed = passed = 0


def check(name: str, good: bool, shown: str = "") -> None:
    global failed, passed
    passed, failed = passed + good, failed + (not good)
    print(f"{'PASS   ' if good else 'FAIL!  '}: {name} {'' if good else shown}")


def run(model: str, *arguments: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([sys.executable, "-m", "train.data.generate", *arguments], cwd=model, env=environment,
                          capture_output=True, text=True, check=False)


def refused(name: str, done: subprocess.CompletedProcess, words: str) -> None:
    lines = done.stderr.strip().splitlines()
    check(name, done.returncode != 0 and len(lines) == 1 and lines[0].startswith("train: ") and words in lines[0], done.stderr)


def reproduces(model: str, folder: str) -> None:
    out = os.path.join(folder, "data.jsonl")
    first = run(model, out, "--turns", TURNS, "--seed", SEED)
    with open(os.path.join(model, "train", "data", "checksum.txt"), encoding="utf-8") as file:
        wanted = file.read().split()[-1]
    check("the recorded checksum comes out again", first.returncode == 0 and first.stdout.split()[-1] == wanted,
          first.stdout + first.stderr)
    refused("an existing file is kept", run(model, out, "--turns", "10"), "--force")
    again = run(model, out, "--turns", TURNS, "--seed", SEED, "--force")
    check("twice the same", again.stdout == first.stdout, again.stdout)
    other = run(model, out, "--turns", TURNS, "--seed", "2", "--force")
    check("another seed, other dialogues", other.returncode == 0 and other.stdout.split()[-1] != wanted)


def holds_back(model: str, folder: str) -> None:
    sys.path.insert(0, model)
    sys.dont_write_bytecode = True
    from train.data.grammar import norm  # what counts as the same question

    asked = set()
    with open(os.path.join(folder, "data.jsonl"), encoding="utf-8") as file:
        for line in file:
            asked.update(norm(question) for question, _ in json.loads(line))
    held, folder = set(), os.path.join(model, "eval")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".jsonl") and name != "recall.jsonl":  # recall holds back names, not questions
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                rows = [json.loads(line) for line in file]
            held.update(norm(row["messages"][-1]["content"]) for row in rows if not row.get("trained"))
    check("no held-back question is trained", len(held) > 1000 and not (asked & held) - {""}, str(sorted(asked & held)[:5]))


def refuses(model: str, folder: str) -> None:
    copy = os.path.join(folder, "model")
    shutil.copytree(model, copy, ignore=shutil.ignore_patterns("builtin", "__pycache__"))
    out = os.path.join(folder, "other.jsonl")
    os.remove(os.path.join(copy, "train", "data", "facts.txt"))
    refused("a missing table is named", run(copy, out, "--turns", "10"), "facts.txt")
    shutil.rmtree(os.path.join(copy, "eval"))
    refused("no evaluation sets, no data", run(copy, out, "--turns", "10"), "no evaluation sets")
    refused("a folder that cannot be written", run(model, "/dev/null/data.jsonl", "--turns", "10"), "/dev/null")
    check("nothing is left behind", not os.path.exists(out) and not os.path.exists(out + ".part"))


def main() -> int:
    model = os.path.join(sys.argv[1], "resources", "model")
    with tempfile.TemporaryDirectory() as folder:
        reproduces(model, folder)
        holds_back(model, folder)
        refuses(model, folder)
    print(f"Totals: {passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
