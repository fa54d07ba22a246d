"""Fails on a stranger at the top level, on Qt or tr() in inference and cuda, and on unfinished or mismatched translations."""

import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(sys.argv[1])
ALLOWED = set("""CMakeLists.txt app ui inference cuda resources tests packaging dev CMakePresets.json README.md README.zh-CN.md
ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md LICENSE .ci .clang-format .clang-tidy .clazy .editorconfig .gitattributes .gitignore
.git-blame-ignore-revs .git build""".split())
ENGINE_WORDS = re.compile(r"\btr\(|\bQ(String|Object|Widget|Debug|List|ByteArray)\b")
PLACE = re.compile(r"%(?:L?\d+|n)")


def strangers() -> list[str]:
    return [f"{p.name}: not in the closed list of the top level" for p in ROOT.iterdir() if p.name not in ALLOWED]


def qt_in_engine() -> list[str]:
    faults = []
    for top in ("inference", "cuda"):
        for path in (ROOT / top).rglob("*"):
            if path.suffix in {".h", ".cpp", ".cu", ".cuh"} and (hit := ENGINE_WORDS.search(path.read_text(encoding="utf-8"))):
                faults.append(f"{path.relative_to(ROOT)}: {hit.group(0)} has no place in the engine")
    return faults


def places(text: str) -> set[str]:
    return set(PLACE.findall(text)) - {"%n"}  # a plural form may say "once" instead


def translation_faults(path: Path) -> list[str]:
    faults = []
    for message in xml.parse(path).getroot().iter("message"):
        source = message.findtext("source", "")
        translation = message.find("translation")
        kind = translation.get("type") if translation is not None else "missing"
        texts = [t.text or "" for t in translation.iter("numerusform")] or [translation.text or ""]
        if kind in ("unfinished", "missing") or (kind is None and not all(texts)):
            faults.append(f"{path.name}: not translated: {source[:60]}")
        elif kind is None and any(places(t) != places(source) for t in texts):
            faults.append(f"{path.name}: other %1 than the source: {source[:60]}")
    return faults


def main() -> int:
    faults = strangers() + qt_in_engine()
    translations = list((ROOT / "resources/i18n").glob("*.ts"))
    for path in translations:
        faults += translation_faults(path)
    print("\n".join(faults) or f"top level, engine and {len(translations)} translations are as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
