"""Fails when an include goes against the layers of ARCHITECTURE.md or a library is included outside its home."""

import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1])
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)

BELOW = {  # folder of inference -> folders it may include, itself apart
    "base": set(),
    "model": {"base"},
    "load": {"base", "model"},
    "tokenize": {"base", "model"},
    "backend": {"base", "model"},
    "sample": {"base", "model"},
}
BELOW["chat"] = set(BELOW)
BELOW["generate"] = BELOW["chat"] | {"chat"}
BELOW["history"] = BELOW["generate"] | {"generate"}
BELOW["study"] = BELOW["history"] | {"history"}

LAYER = {  # top-level folder -> top-level folders it may include
    "inference": {"inference"},
    "cuda": {"cuda", "inference"},
    "ui": {"ui", "inference"},
    "app": {"app", "ui", "inference", "resources"},
    "resources": {"resources"},
}
CUDA_MAY_SEE = {"base", "model", "backend"}

HOMES = [  # third-party header -> the only files that may include it
    (r"nlohmann/", r"^inference/base/json[^/]*\.cpp$|^inference/history/transcript\.cpp$|^inference/study/report\.cpp$"),
    (r"yaml-cpp/", r"^inference/load/yaml_config\.cpp$"),
    (r"zlib\.h|zip\.h", r"^inference/load/zip_reader\.cpp$"),
    (r"pcre2\.h", r"^inference/tokenize/regex\.cpp$"),
    (r"utf8proc\.h", r"^inference/(tokenize|history|study|base)/unicode\.cpp$|^inference/study/consistency\.cpp$|^inference/history/clusters\.cpp$"),
    (r"md5\.h", r"^inference/base/md5\.cpp$"),
    (r"hwy/", r"^inference/backend/cpu/simd/"),
    (r"immintrin\.h|x86intrin\.h|cpuid\.h", r"^inference/backend/cpu/(avx2|avx512)/|^inference/base/cpu_features\.cpp$"),
    (r"CLI/", r"^app/main\.cpp$|^app/cli/"),
    (r"boost/", r"^app/net/server/"),
    (r"cuda|cublas", r"^cuda/"),
    (r"QtNetwork|QNetwork|QTcp|QLocal(Server|Socket)", r"^app/net/remote/|^app/single_instance\.cpp$"),
    (r"QtSql|QSql", r"^ui/store/"),
    (r"Q[A-Z]", r"^(ui|app)/"),
]


def public_headers() -> set[str]:
    """Headers of inference that ui and app may see: the FILE_SET of inference/CMakeLists.txt."""
    text = (ROOT / "inference/CMakeLists.txt").read_text()
    found = re.search(r"FILE_SET HEADERS.*?FILES(.*?)\)", text, re.S)
    return {f"inference/{name}" for name in found.group(1).split()} if found else set()


def own_include_fault(source: str, target: str, public: set[str]) -> str | None:
    top, goal = source.split("/")[0], target.split("/")[0]
    if goal not in LAYER.get(top, set()):
        return f"{top} may not include {goal}"
    if goal != "inference":
        return None
    folder = target.split("/")[1]
    if top == "inference":
        own = source.split("/")[1]
        if folder != own and folder not in BELOW[own]:
            return f"inference/{own} may not include inference/{folder}"
        if source in public and target not in public:
            return "a public header shows a private one"
    elif top == "cuda" and folder not in CUDA_MAY_SEE:
        return f"cuda may not include inference/{folder}"
    elif top in ("ui", "app") and target not in public:
        return "a private header of inference"
    return None


def library_fault(source: str, target: str) -> str | None:
    for pattern, home in HOMES:
        if re.match(pattern, target):
            return None if re.search(home, source) else f"<{target}> has another home ({home})"
    return None


def main() -> int:
    public = public_headers()
    faults = []
    files = 0
    for top in LAYER:
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix not in {".h", ".cpp", ".cu", ".cuh"}:
                continue
            files += 1
            source = path.relative_to(ROOT).as_posix()
            for kind, target in INCLUDE.findall(path.read_text(encoding="utf-8")):
                own = target.split("/")[0] in {*LAYER, "tests"} and "/" in target
                fault = own_include_fault(source, target, public) if own else library_fault(source, target)
                if fault:
                    faults.append(f"{source}: #include {target}: {fault}")
    print("\n".join(faults) or f"{files} files keep the layers")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main())
