"""Adds up what the test programs counted: the last line is "N passed, N failed".

Reads ctest's LastTest.log. A program that prints no totals (a rule, a crash) counts as one test.
"""

import re
import sys

TOTALS = re.compile(r"^Totals: (\d+) passed, (\d+) failed", re.M)


def count(log: str) -> tuple[int, int]:
    passed = failed = 0
    for section in re.split(r"^\d+/\d+ Testing: ", log, flags=re.M)[1:]:
        totals = [(int(p), int(f)) for p, f in TOTALS.findall(section)]
        ok = re.search(r"^Test Passed\.", section, re.M) is not None
        section_failed = sum(f for _, f in totals)
        passed += sum(p for p, _ in totals) if totals else int(ok)
        failed += section_failed
        if not ok and section_failed == 0:
            failed += 1  # a crash, a time-out or a sanitizer report after the last total
    return passed, failed


def main() -> int:
    with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
        passed, failed = count(file.read())
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
