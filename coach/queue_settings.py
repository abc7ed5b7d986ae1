"""Settings of the queues: waking of workers, and replacement of dead ones.

PostgreSQL is the source of truth, the broker only wakes workers. `coach.settings` imports every
name from here.
"""

from __future__ import annotations

from coach.environment import envbroker, envint
from coach.schedule import beat_schedule

CELERY_BROKER_URL = envbroker("CELERY_BROKER_URL", default="redis://localhost:6379/0")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_DEFAULT_QUEUE = "upkeep"
CELERY_TASK_ROUTES = {
    "coach.research.tasks.make_bundle": {"queue": "jobs"},
    "coach.research.tasks.take_bundle_in": {"queue": "jobs"},
    "coach.research.tasks.write_down": {"queue": "jobs"},
    "coach.review.spoken.tasks.process_reply": {"queue": "jobs"},
    "coach.slides.tasks.open_deck": {"queue": "jobs"},
    "coach.slides.tasks.compare_take": {"queue": "jobs"},
    # Only the worker of this queue knows the mail account and connects to other machines.
    "coach.notices.tasks.mail": {"queue": "mail"},
    "coach.notices.tasks.read_bounces": {"queue": "mail"},
    "coach.portal.tasks.tell": {"queue": "mail"},
    "coach.portal.tasks.mail_invitations": {"queue": "mail"},
    "coach.webhooks.tasks.deliver": {"queue": "mail"},
    "coach.lti.tasks.report": {"queue": "mail"},
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # Longer than the longest stage, otherwise a running stage is delivered twice (harmless, not
    # free).
    "visibility_timeout": 6 * 3600,
    "socket_connect_timeout": 2,
    # Two attempts to connect, then an error.
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    # For a broker that accepts connections and does not answer.
    "socket_timeout": 2,
    "retry_on_timeout": False,
}
# A web request never waits for a broker that is down: the sweeper enqueues later.
CELERY_TASK_PUBLISH_RETRY = False
# A worker has no client waiting for its answer (`coach.celery`).
WORKER_TRANSPORT_OPTIONS = {
    **CELERY_BROKER_TRANSPORT_OPTIONS,
    "socket_timeout": 30,
    "retry_on_timeout": True,
}
# A worker's child process is replaced once it exceeds this size between two stages: a hostile
# recording leaves a gigabyte behind. Its successor loads the models again, which takes some
# seconds, so the limit is well above the size for an ordinary talk. Any child ends after so many
# stages.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 1024 * envint("ROSTRUM_WORKER_MAX_MB", default=1280, least=1)
CELERY_WORKER_MAX_TASKS_PER_CHILD = envint("ROSTRUM_WORKER_MAX_TASKS", default=500, least=1)
# The stage of a dead worker is taken over after the lease and at most one sweep, at once if the
# kernel confirms that the process has ended. A lease is renewed five times in its duration.
STAGE_LEASE_SECONDS = envint("ROSTRUM_STAGE_LEASE_SECONDS", default=20)
STAGE_MAX_ATTEMPTS = envint("ROSTRUM_STAGE_MAX_ATTEMPTS", default=3, least=1)
# A stage that takes this many times its usual time is ended and retried.
STAGE_PATIENCE = envint("ROSTRUM_STAGE_PATIENCE", default=20, least=1)
SWEEP_SECONDS = envint("ROSTRUM_SWEEP_SECONDS", default=5, least=1)
CELERY_BEAT_SCHEDULE = beat_schedule(SWEEP_SECONDS)
CELERY_BEAT_SCHEDULER = "coach.lib.work.beat.SteadyScheduler"
# Number of one person's stages in each queue, so that many takes of one person delay nobody. One is
# the fairest; more lets a single person use several workers.
STAGES_OF_A_PERSON = envint("ROSTRUM_STAGES_OF_A_PERSON", default=2, least=1)
# A stage expected to take longer has a queue of its own, so that short stages do not wait for it.
LONG_STAGE_SECONDS = envint("ROSTRUM_LONG_STAGE_SECONDS", default=120)
# The cores of this machine that all its workers may use together; 0: all of them.
CORES = envint("ROSTRUM_CORES", default=0)
