"""Copies the successful runs of a history that no intentd has open, with new identifiers, over the last days.

  fill-history.py DATABASE COUNT DAYS
"""

import sqlite3
import sys
import time

path, count, days = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
database = sqlite3.connect(path, isolation_level=None)
numbers = [number for (number,) in database.execute("SELECT number FROM runs JOIN ends e USING (number) WHERE e.kind = 'done' ORDER BY number")]
assert numbers, "the history has no successful run"
first = database.execute("SELECT max(number) FROM runs").fetchone()[0] + 1
start, step = time.time_ns() - days * 86_400_000_000_000, days * 86_400_000_000_000 // count
# Copy i is of the run number i modulo the number of runs, and was accepted at the same distance after copy i - 1.
# An odd factor gives each copy another identifier of 40 bits. Random ones would repeat among a million.
new = {
    "number": "c.i + :first", "run": "printf('%010x', (c.i * 680281110911) & 0xffffffffff)", "request": "lower(hex(randomblob(16)))",
    "wall": ":start + c.i * :step", "key": "NULL",
}
database.execute("PRAGMA synchronous = OFF")
database.execute("BEGIN IMMEDIATE")
database.execute("CREATE TEMP TABLE copies (i INTEGER PRIMARY KEY, source INTEGER NOT NULL)")
database.executemany("INSERT INTO copies VALUES (?, ?)", ((i, numbers[i % len(numbers)]) for i in range(count)))
names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'boots'")]
for table in names:
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    if "number" not in columns:
        continue
    values = ", ".join(new.get(column, f"t.{column}") for column in columns)
    database.execute(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM copies c JOIN {table} t ON t.number = c.source",
        {"first": first, "start": start, "step": step},
    )
database.execute("COMMIT")
