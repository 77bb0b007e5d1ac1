"""The tasks of the Celery peer, imported by its worker and its client."""

import os
import subprocess
import time

from celery import Celery

address = "redis+socket://" + os.environ["BENCHMARK_REDIS"]
app = Celery("celery_tasks", broker=address, backend=address)
app.conf.broker_connection_retry_on_startup = True
app.conf.worker_send_task_events = False
app.conf.worker_concurrency = os.cpu_count()


@app.task
def answer(number):
    return number + 1


@app.task
def run_true():
    return subprocess.run(["/bin/true"], check=True).returncode


@app.task(bind=True)
def wait(self):
    """Records its pid and start time, and waits."""
    app.backend.client.set("begun-" + self.request.id, f"{os.getpid()} {time.monotonic()}")
    time.sleep(600)
