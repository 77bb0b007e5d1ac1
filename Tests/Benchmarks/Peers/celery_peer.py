"""Celery on Redis: `celery_peer.py pool` uses warm processes, `fresh` a process for each task."""

import os
import sys
import time

import peer

os.environ["BENCHMARK_REDIS"] = peer.start_redis()
os.environ["C_FORCE_ROOT"] = "1"
import celery  # noqa: E402
from celery.result import ResultSet  # noqa: E402: its settings come from the environment

import celery_tasks  # noqa: E402

worker = None


def prepare():
    global worker
    command = [sys.executable, "-m", "celery", "-A", "celery_tasks", "worker", "--pool", "prefork", "-l", "ERROR"]
    command += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    if sys.argv[1] == "fresh":
        command += ["--max-tasks-per-child", "1"]
    worker = peer.start(command, cwd=os.path.dirname(os.path.abspath(__file__)))
    for _ in range(3):
        celery_tasks.answer.delay(1).get(timeout=30)


def latency(count):
    samples = []
    for _ in range(count):
        time.sleep(peer.PAUSE)
        begin = time.monotonic()
        celery_tasks.answer.delay(1).get(timeout=30)
        samples.append((time.monotonic() - begin) * 1000)
    return samples


def command(count):
    samples = []
    for _ in range(count):
        time.sleep(peer.PAUSE)
        begin = time.monotonic()
        celery_tasks.run_true.delay().get(timeout=30)
        samples.append((time.monotonic() - begin) * 1000)
    return samples


def throughput(count):
    begin = time.monotonic()
    results = ResultSet([celery_tasks.answer.delay(1) for _ in range(count)])
    results.join_native(timeout=60)
    return [count / (time.monotonic() - begin)]


def begun(result):
    """Waits until a task has begun. Returns its pid and start time."""
    key = "begun-" + result.id
    client = celery_tasks.app.backend.client
    peer.wait_until(lambda: client.exists(key), "a task did not begin")
    process, instant = client.get(key).split()
    return int(process), float(instant)


def chain(count):
    """Ten tasks, each with the result of the one before it."""
    samples = []
    for _ in range(count):
        time.sleep(peer.PAUSE)
        tasks = [celery_tasks.answer.s(1)] + [celery_tasks.answer.s() for _ in range(9)]
        begin = time.monotonic()
        celery.chain(*tasks)().get(timeout=30)
        samples.append((time.monotonic() - begin) * 1000)
    return samples


def revoke(count):
    samples = []
    for _ in range(count):
        result = celery_tasks.wait.delay()
        process, _ = begun(result)
        time.sleep(0.05)
        begin = time.monotonic()
        result.revoke(terminate=True)
        samples.append((peer.wait_for_end(process) - begin) * 1000)
        # Waits until the pool has replaced the process.
        celery_tasks.answer.delay(1).get(timeout=30)
    return samples


def overshoot(count):
    samples = []
    for _ in range(count):
        result = celery_tasks.wait.apply_async(time_limit=1)
        process, begin = begun(result)
        samples.append((peer.wait_for_end(process) - begin - 1) * 1000)
        celery_tasks.answer.delay(1).get(timeout=30)
    return samples


def memory():
    """The private memory of an idle process of the pool."""
    return [peer.private_dirty_megabytes(process) for process in peer.children(worker.pid)[:1]]


commands = {
    "latency": latency,
    "command": command,
    "throughput": throughput,
    "chain": chain,
    "revoke": revoke,
    "overshoot": overshoot,
    "memory": memory,
}
peer.serve(prepare, commands)
