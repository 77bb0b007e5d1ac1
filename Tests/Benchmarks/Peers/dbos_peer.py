"""DBOS on SQLite: `dbos_peer.py sqlite` performs durable functions in its own process."""

import time

import peer
from dbos import DBOS

DBOS(
    config={
        "name": "benchmark",
        "system_database_url": f"sqlite:///{peer.folder()}/dbos.sqlite",
        "log_level": "ERROR",
        "run_admin_server": False,
    }
)


@DBOS.step()
def answer(number):
    return number + 1


@DBOS.workflow()
def ten(number):
    for _ in range(10):
        number = answer(number)
    return number


def chain(count):
    """Ten steps, each with the result of the one before it."""
    samples = []
    for _ in range(count):
        time.sleep(peer.PAUSE)
        begin = time.monotonic()
        assert ten(1) == 11
        samples.append((time.monotonic() - begin) * 1000)
    return samples


def prepare():
    DBOS.launch()
    chain(3)


peer.serve(prepare, {"chain": chain})
