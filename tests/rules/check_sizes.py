"""Prints the size percentiles per folder; fails on a file over 600 or a function over 80 lines that is not in the list.

Aims: files 400, functions 40. Exceptions: tests/rules/size_exceptions.txt, lines of `path[:function]  limit  reason`.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(sys.argv[1])
FILE_LIMIT, FILE_AIM, FUNCTION_LIMIT, FUNCTION_AIM = 600, 400, 80, 40
FOLDERS = ["inference", "cuda", "ui", "app", "tests"]


def sources() -> list[Path]:
    return [p for f in FOLDERS for p in sorted((ROOT / f).rglob("*")) if p.suffix in {".h", ".cpp", ".cu", ".cuh"}]


def functions(paths: list[Path]) -> list[tuple[str, str, int]]:
    """(path, name, lines) of every function body."""
    ctags = shutil.which("ctags-universal") or shutil.which("ctags")
    command = [ctags, "--languages=C++", "--langmap=C++:+.cu.cuh.h", "--kinds-C++=f", "--fields=+ne", "--output-format=xref",
               "--_xformat=%F\t%N\t%n\t%e", "-L", "-"]
    names = "\n".join(str(p) for p in paths)
    output = subprocess.run(command, input=names, capture_output=True, text=True, check=True).stdout
    found = []
    for line in output.splitlines():
        path, name, first, last = line.split("\t")
        if last.isdigit():
            found.append((Path(path).relative_to(ROOT).as_posix(), name, int(last) - int(first) + 1))
    return found


def exceptions() -> dict[str, int]:
    limits = {}
    for line in (ROOT / "tests/rules/size_exceptions.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, limit, _reason = line.split(None, 2)
            limits[name] = int(limit)
    return limits


def percentile(values: list[int], share: float) -> int:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


def table(title: str, rows: dict[str, list[int]]) -> None:
    print(f"{title:<12} {'count':>6} {'median':>7} {'p90':>5} {'max':>5}")
    for folder, values in rows.items():
        print(f"{folder:<12} {len(values):>6} {percentile(values, .5):>7} {percentile(values, .9):>5} {max(values, default=0):>5}")


def main() -> int:
    paths = sources()
    files = {p.relative_to(ROOT).as_posix(): len(p.read_text(encoding="utf-8").splitlines()) for p in paths}
    bodies = functions(paths)
    table("files", {f: [n for p, n in files.items() if p.startswith(f + "/")] for f in FOLDERS})
    table("functions", {f: [n for p, _, n in bodies if p.startswith(f + "/")] for f in FOLDERS})
    allowed = exceptions()
    sized = [(p, n, FILE_LIMIT, FILE_AIM) for p, n in files.items()]
    sized += [(f"{p}:{name}", n, FUNCTION_LIMIT, FUNCTION_AIM) for p, name, n in bodies]
    faults = [f"{name}: {n} lines, limit {allowed.get(name, limit)}" for name, n, limit, _ in sized if n > allowed.get(name, limit)]
    known = {name: n for name, n, limit, _ in sized if n > limit}
    faults += [f"{name}: the exception is no longer needed" for name in allowed if name not in known]
    for name, n, limit, aim in sorted(sized, key=lambda s: -s[1]):
        if aim < n <= limit:
            print(f"above the aim of {aim}: {name} ({n})")
    print("\n".join(faults) or f"{len(files)} files and {len(bodies)} functions within the limits")
    return 1 if faults or not bodies else 0


if __name__ == "__main__":
    sys.exit(main())
