#!/usr/bin/env python3
"""Checks a file of 'intentctl audit --append FILE': verify_audit.py FILE [HEAD]

Each line is a decision as JSON. Its member "previous" is the SHA-256 of the line before it, or 64 zeros in the first
line. A head is the number of a line, a colon and the SHA-256 of the line. The program prints the head of the file, and
fails if a line was changed, inserted or removed, or if the file does not contain HEAD."""
import hashlib
import json
import sys


def heads(file):
    """The head after each line, beginning with that of an empty file."""
    number, previous = 0, "0" * 64
    yield f"{number}:{previous}"
    for line in file:
        number += 1
        if not line.endswith(b"\n"):
            sys.exit(f"line {number} is incomplete")
        try:
            decision = json.loads(line)
            matches = decision["previous"] == previous and {"run", "number"} <= decision.keys()
        except (ValueError, KeyError, TypeError, AttributeError):
            sys.exit(f"line {number} is not a decision")
        if not matches:
            sys.exit(f"line {number} does not contain the SHA-256 of the line before it")
        previous = hashlib.sha256(line[:-1]).hexdigest()
        yield f"{number}:{previous}"


def main(path, wanted=None):
    with open(path, "rb") as file:
        found = list(heads(file))
    if wanted is not None and wanted not in found:
        sys.exit(f"the file does not contain the head {wanted}: lines are missing at its end")
    print(found[-1])


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
