#!/usr/bin/env python3
"""Checks a file of 'intentctl audit --append FILE': verify_audit.py FILE [HEAD]

Each line is a decision as JSON. Its member "previous" is the SHA-256 of the line before it, or 64 zeros in the first
line. A head is the number of a line, a colon and the SHA-256 of the line. The program prints the head of the file, and
fails if a line was changed, inserted or removed, or if the file does not contain HEAD.

The member "chain" is the decision's place among the decisions of its user, which history numbers and hashes when it
records them. A line with "continues" stands for decisions that history had removed before they were exported; the
program prints these gaps to standard error."""
import hashlib
import json
import sys

START = "0" * 64
# The members that history hashes, after the hash and the number of the user's decision before this one.
PARTS = ["run", "app", "intent", "number", "question", "isApproved", "timeMilliseconds", "user", "software", "digest",
         "entryPoint", "isSameUser", "standing"]
WORDS = {"isApproved": ("approved", "refused"), "isSameUser": ("own user", "")}


def hashed(decision, chain):
    """The SHA-256 that history computes for a decision: each part with its length and a colon before it."""
    parts = [chain["previous"], chain["number"]]
    for name in PARTS:
        part = decision.get(name, "")
        if name in WORDS:
            part = WORDS[name][0 if part is True else 1]
        elif name == "standing":
            part = part["run"] if part else ""
        parts.append(part)
    encoded = [str(part).encode() for part in parts]
    return hashlib.sha256(b"".join(b"%d:%s" % (len(part), part) for part in encoded)).hexdigest()


def follow(decision, positions, number):
    """Checks a line against the chain of its user's decisions."""
    place = decision.get("continues") or decision.get("chain")
    if place is None:  # from an earlier release, or an imported run
        return
    owner = (place["user"], place["account"])
    last = positions.get(owner, (0, START))
    if "continues" in decision:
        first, to = last[0] + 1, place["number"]
        gap = f"decisions {first} to {to} are missing" if to >= first else f"history has other decisions, from {to + 1} on"
        print(f"line {number}: user {owner[0]}: {gap}", file=sys.stderr)
    elif (place["number"], place["previous"]) != (last[0] + 1, last[1]):
        sys.exit(f"line {number} does not follow decision {last[0]} of user {owner[0]}")
    elif hashed(decision, place) != place["hash"]:
        sys.exit(f"line {number} does not match the SHA-256 that history has computed")
    positions[owner] = (place["number"], place["hash"])


def heads(file):
    """The head after each line, beginning with that of an empty file."""
    number, previous, positions = 0, START, {}
    yield f"{number}:{previous}"
    for line in file:
        number += 1
        if not line.endswith(b"\n"):
            sys.exit(f"line {number} is incomplete")
        try:
            decision = json.loads(line)
            if decision["previous"] != previous:
                sys.exit(f"line {number} does not contain the SHA-256 of the line before it")
            if "continues" not in decision and not {"run", "number"} <= decision.keys():
                raise ValueError
            follow(decision, positions, number)
        except (ValueError, KeyError, TypeError, AttributeError):
            sys.exit(f"line {number} is not a decision")
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
