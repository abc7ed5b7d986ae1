"""gunicorn settings: `gunicorn coach.wsgi -c python:coach.serving --bind ...`.

Workers and threads can be overridden on the command line. There are many threads, since a large
upload holds one while it arrives, at most ROSTRUM_LARGE_BODIES_AT_ONCE of them. Downloads hold some
more (`coach.lib.web.download_limit`), and pages have the rest.
"""

from __future__ import annotations

import gc

from coach.environment import logs_are_json
from coach.lib.logs.access_log import DiscreetLogger
from coach.lib.web.buffered_worker import BufferedWorker

worker_class = BufferedWorker
workers = 2
threads = 32
# Connections of each worker that are arriving, kept alive or in a thread; files need some more.
worker_connections = 800
keepalive = 5
# A worker whose loop has not run for this long is replaced.
timeout = 120
# Time for running requests when the site stops; docker-compose.yml waits longer.
graceful_timeout = 30
accesslog = "-"
if logs_are_json():
    # Time, level and the id of the request are fields of their own.
    access_log_format = '%(h)s "%(r)s" %(s)s %(b)s %(M)sms'
logger_class = DiscreetLogger
control_socket_disable = True


def post_worker_init(_worker: object) -> None:
    """Exclude the loaded program from garbage collection.

    Otherwise each page that makes many objects scans all modules and models again.
    """
    gc.collect()
    gc.freeze()
