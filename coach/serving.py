"""How gunicorn serves this site: `gunicorn coach.wsgi -c python:coach.serving --bind ...`.

Workers and threads can be given beside it. Threads are many since a large upload holds one while
it arrives; ROSTRUM_LARGE_BODIES_AT_ONCE of them at most do. Recordings that leave hold some more
(`coach.lib.web.download_limit`), and pages have the others.
"""

from __future__ import annotations

from coach.lib.logs.access_log import DiscreetLogger
from coach.lib.web.buffered_worker import BufferedWorker

worker_class = BufferedWorker
workers = 2
threads = 32
# Connections that are arriving, kept alive or in a thread, for each worker; files need some more.
worker_connections = 800
keepalive = 5
# The loop of a worker has not turned for so long: it is replaced.
timeout = 120
# What is being answered when the site stops has so long to end; docker-compose.yml waits longer.
graceful_timeout = 30
accesslog = "-"
logger_class = DiscreetLogger
control_socket_disable = True
