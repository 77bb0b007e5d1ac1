#!/usr/bin/env python3
"""Compares the figures of two versions that were measured in turns, for Tests/Benchmarks/compare.

    ratios.py FOLDER ROUNDS

FOLDER has the files `now-N` and `then-N` of each round N, as `Benchmarks --json` writes them.
"""

import json
import statistics
import sys

# Titles of earlier commits, without the words "the same" at the start of some, and today's titles of these rows.
EARLIER_TITLES = {
    ", in steady use": "submit → result, in steady use",
    ", 4 calls a second": "submit → result, 4 calls per second",
    " with Spare=0": "8 clients without pause, Spare=0",
    "processor time per run: the worker, from fork to its end": "processor time per run: the worker, from fork to exit",
}


def figures(path):
    """Returns the value of each row, its floor, and its unit. The floor is None for a row without a floor."""
    rows = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            figure = json.loads(line)
            if figure.get("p50") is None:
                continue
            title = EARLIER_TITLES.get(figure["title"].removeprefix("the same"), figure["title"])
            floors = figure.get("floors") or [{}]
            rows[f"{figure['name']}: {title}"] = (figure["p50"], floors[0].get("p50"), figure["unit"])
    return rows


def multiple(row):
    value, floor, _ = row
    return value / floor if floor else value


def number(value):
    return f"{value:.3g}"


def main():
    folder, rounds = sys.argv[1], int(sys.argv[2])
    now = [figures(f"{folder}/now-{round}") for round in range(1, rounds + 1)]
    then = [figures(f"{folder}/then-{round}") for round in range(1, rounds + 1)]
    titles = list(dict.fromkeys(title for rows in now + then for title in rows))

    table = [["figure", "ratio", "spread", "now", "then", "unit"]]
    problems = []
    for title in titles:
        pairs = [(new[title], old[title]) for new, old in zip(now, then) if title in new and title in old]
        if len(pairs) < rounds:
            counts = [sum(title in rows for rows in version) for version in (now, then)]
            problems.append(f"{title}: measured in {counts[0]} rounds of this tree and {counts[1]} of the commit")
        if not pairs:
            continue
        ratios = [multiple(new) / multiple(old) for new, old in pairs if multiple(old)]
        if not ratios:
            problems.append(f"{title}: the commit needs nothing measurable")
            continue
        has_floor = all(new[1] and old[1] for new, old in pairs)
        unit = pairs[0][0][2]
        table.append(
            [
                title,
                f"{statistics.median(ratios):.2f}",
                f"{min(ratios):.2f}–{max(ratios):.2f}",
                number(statistics.median(multiple(new) for new, _ in pairs)),
                number(statistics.median(multiple(old) for _, old in pairs)),
                ("× floor" if has_floor else unit) + (", more is better" if unit == "runs/s" else ""),
            ]
        )
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    for problem in problems:
        print(f"missing: {problem}")


main()
