"""RQ on Redis: `rq_peer.py fork` uses its default worker, which forks for each job, `warm` one that does not fork."""

import os
import sys
import time

import peer

path = peer.start_redis()
from redis import Redis  # noqa: E402
from rq import Queue  # noqa: E402

import rq_tasks  # noqa: E402

redis = Redis(unix_socket_path=path)
queue = Queue(connection=redis)
workers = []


def prepare():
    kind = {"fork": "rq.worker.Worker", "warm": "rq.worker.SimpleWorker"}[sys.argv[1]]
    command = [sys.executable, "-m", "rq.cli", "worker", "-q", "-u", f"unix://{path}", "-w", kind]
    for _ in range(os.cpu_count()):
        workers.append(peer.start(command, cwd=os.path.dirname(os.path.abspath(__file__))))
    latency(3)


def latency(count):
    samples = []
    for _ in range(count):
        time.sleep(peer.PAUSE)
        begin = time.monotonic()
        queue.enqueue(rq_tasks.answer, 1).latest_result(timeout=30)
        samples.append((time.monotonic() - begin) * 1000)
    return samples


def throughput(count):
    begin = time.monotonic()
    finished = queue.finished_job_registry
    known = finished.get_job_count(cleanup=False)
    for _ in range(count):
        queue.enqueue(rq_tasks.answer, 1)
    peer.wait_until(lambda: finished.get_job_count(cleanup=False) >= known + count, "the jobs did not finish", 60)
    return [count / (time.monotonic() - begin)]


def memory():
    """The private memory of an idle worker."""
    return [peer.private_dirty_megabytes(workers[0].pid)]


peer.serve(prepare, {"latency": latency, "throughput": throughput, "memory": memory})
