"""Django settings, read once from the environment; invalid values stop the start."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

import django_stubs_ext
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from coach.environment import (
    envbool,
    envchoice,
    envdatabase,
    envhosts,
    envint,
    envlist,
    envorigins,
    envsecret,
    envzone,
    logs_are_json,
)

# Settings that Django and Celery read from here too.
from coach.queue_settings import *  # noqa: F403
from coach.sign_in_settings import *  # noqa: F403

# Allows type arguments such as ModelAdmin[...]; see the package's README.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent

DATA_DIR = Path(os.environ.get("ROSTRUM_DATA_DIR", BASE_DIR / "var"))

DEBUG = envbool("DEBUG", default=False)
PRODUCTION = envbool("ROSTRUM_PRODUCTION", default=False)
# A worker serves no page and signs nothing. It decodes strangers' uploads, so it had better not
# know the key that signs everybody in.
SIGNS = envchoice("ROSTRUM_PROCESS", ("web", "worker"), default="web") == "web"
SECRET_KEY = envsecret("SECRET_KEY")
# Former keys, while signatures made with them may still be in use (sessions, reset links).
SECRET_KEY_FALLBACKS = envlist("SECRET_KEY_FALLBACKS")
if PRODUCTION:
    needed = {"DATABASE_URL": os.environ.get("DATABASE_URL")}
    if SIGNS:
        needed["ALLOWED_HOSTS"] = os.environ.get("ALLOWED_HOSTS")
        needed["SECRET_KEY (or SECRET_KEY_FILE)"] = SECRET_KEY
    missing = [name for name, value in needed.items() if not value]
    if missing:
        raise ImproperlyConfigured(f"Set {', '.join(missing)}: ROSTRUM_PRODUCTION is True.")
    if DEBUG:
        raise ImproperlyConfigured("DEBUG shows settings to visitors: not in production.")
    # The requirement of Django's own check --deploy (security.W009).
    if SECRET_KEY and (len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 5):
        raise ImproperlyConfigured("SECRET_KEY needs 50 characters or more; see .env.example.")
if not SECRET_KEY:
    # manage.py and the demonstration keep one in the data folder; a process without either
    # generates its own, which nobody can know.
    SECRET_KEY = secrets.token_urlsafe(50)
# Key of the pseudonyms of takes in research exports: a site that changes its SECRET_KEY keeps the
# old one here, so that exports go on naming a take the same.
PSEUDONYM_KEY = envsecret("ROSTRUM_PSEUDONYM_KEY") or SECRET_KEY
ALLOWED_HOSTS = envhosts("ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]", "testserver"]
CSRF_TRUSTED_ORIGINS = envorigins("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "coach.lib",
    "coach.audit",
    "coach.accounts",
    "coach.webhooks",
    "coach.rehearsals",
    "coach.drafts",
    "coach.notices",
    "coach.rulesets",
    "coach.feedback",
    "coach.slides",
    "coach.uploads",
    "coach.practice",
    "coach.questions",
    "coach.assignments",
    "coach.lti",
    "coach.guests",
    "coach.review",
    "coach.review.rubric",
    "coach.review.second",
    "coach.review.spoken",
    "coach.review.threads",
    "coach.curation",
    "coach.research",
    "coach.api",
    "coach.portal",
    "coach.scim",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    "django_htmx",
]

# What lower apps ask of upper ones without importing them. Takes on which a coach judges
# independently, so that no findings are shown to them yet.
HIDES_FINDINGS = (
    "coach.review.rubric.selectors.to_rate_first",
    "coach.review.second.selectors.blind_to",
)
# Called by the worker with the finished run of a short recording (an answer, an exercise).
AFTER_SHORT_RECORDINGS = ("coach.questions.services.compare_with_question",)
# Returns the slides that the recorder showed and timed in a take, for its analysis.
SLIDES_OF_A_TAKE = "coach.slides.selectors.timed_slides_of"
# Deletes drafts about a take when the take is deleted, each app on its own pages, quotes of it, and
# files whose rows go with the take.
TAKE_DRAFTS = (
    "coach.drafts.purge.purge_drafts_of_take",
    "coach.guests.services.purge_drafts_of_take",
    "coach.research.coding.erasing.purge_drafts_of_take",
    "coach.research.coding.written.forget_take",
    "coach.review.spoken.services.remove_files_of_take",
)

# Removes the files of a talk that is deleted; its rows are deleted with it.
TALK_FILES = ("coach.slides.services.remove_files_of_talk",)

MIDDLEWARE = [
    "coach.lib.web.health.answer_health",
    "coach.lib.logs.json_lines.request_id_middleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "coach.lib.web.compression.CompressText",
    "coach.lib.web.caching.keep_no_page",
    "coach.lib.web.http.forbid_camera_and_microphone",
    "csp.middleware.CSPMiddleware",
    "coach.lib.audit_context.audit_context",
    "coach.lib.web.client_address.keep_request",
    "coach.api.authentication.forget_cookies",
    "coach.lib.web.sessions.keep_newer_session",
    "coach.lib.files.full_disk.FullDiskSessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "coach.api.authentication.token_user",
    "coach.accounts.languages.language_middleware",
    "coach.accounts.sessions.tracking.track_sessions",
    "coach.lib.web.reader_zone.time_zone_middleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "coach.portal.trial.middleware.TrialMiddleware",
    "coach.accounts.second_factor.required.SecondFactorMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "coach.drafts.middleware.draft_recovery_middleware",
    "coach.lib.web.large_bodies.limit_large_bodies",
    "coach.storage.unavailable.storage_unavailable_middleware",
    "coach.lib.files.full_disk.disk_full_middleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "coach.urls"
WSGI_APPLICATION = "coach.wsgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "coach.accounts.navigation.menu",
                "coach.notices.badge.badge",
                "coach.portal.help.guides.help_page",
            ],
            "builtins": ["coach.lib.templatetags.dates"],
        },
    },
]

# manage.py and the demonstration start the embedded PostgreSQL if DATABASE_URL is not set; this
# module never starts anything, since type checkers and tests import it.
DATABASES = {
    "default": envdatabase("DATABASE_URL", default="postgresql://rostrum@localhost/rostrum"),
}
# A database machine that vanishes closes no connection: without these settings a worker would wait
# for a quarter of an hour and lose every lease (seconds, the last in milliseconds; rule of thumb).
DATABASES["default"]["OPTIONS"] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    **DATABASES["default"].get("OPTIONS", {}),
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- counters shared by processes and kept over restarts (failed sign-ins): in PostgreSQL, so that
# signing in needs no further service. A migration of accounts creates the table.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "django_cache",
        # Guesses at many accounts must not evict the counters of one.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
}

# --- security
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = envbool("ROSTRUM_HTTPS", default=False)
LANGUAGE_COOKIE_SECURE = SESSION_COOKIE_SECURE
SECURE_SSL_REDIRECT = envbool("ROSTRUM_HTTPS", default=False)
SECURE_HSTS_SECONDS = 31_536_000 if SECURE_SSL_REDIRECT else 0
# HSTS for other subdomains, and browsers' preload lists, are the site's decision.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", "files.E001"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE_SSL_REDIRECT else None
# Sign-in attempts are limited by address: without this, a guesser behind the same proxy as
# everybody else would lock out all of them.
ALLAUTH_TRUSTED_PROXY_COUNT = envint(
    "ROSTRUM_TRUSTED_PROXIES", default=1 if SECURE_SSL_REDIRECT else 0
)
CSRF_FAILURE_VIEW = "coach.drafts.middleware.form_is_stale"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "media-src": [SELF, "blob:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

# --- language and time
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("fr", "Français")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["coach.lib.formats"]
# A visitor's choice; users have a language of their own (coach.accounts.languages).
LANGUAGE_COOKIE_NAME = "rostrum_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = envzone("TIME_ZONE", default="UTC")

# --- files
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static", ("pictures", BASE_DIR / "docs/pictures")]
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT", DATA_DIR / "static"))
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "coach.lib.web.static_files.HashedFiles",
        # Root collects them into the image and another account serves them: less private than
        # uploads (below).
        "OPTIONS": {"file_permissions_mode": 0o644, "directory_permissions_mode": 0o755},
    },
}
# Where recordings lie: a folder that web and workers share, or a bucket of an S3-compatible store,
# from which workers on other machines fetch what they need into SCRATCH_DIR and clear it again.
# What /ready/ asks besides the database and the queue.
HEALTH_CHECKS = {
    "disk": "coach.uploads.limits.check_room",
    "mail": "coach.notices.health.check_mail",
    "recordings": "coach.rehearsals.sweeping.check_recordings",
}
# Encrypts the secrets that sign webhooks. The worker that sends them has no SECRET_KEY, so a site
# in production sets this one for both, or has no webhooks.
WEBHOOKS_KEY = envsecret("ROSTRUM_WEBHOOKS_KEY")
if 0 < len(WEBHOOKS_KEY) < 32:
    raise ImproperlyConfigured("ROSTRUM_WEBHOOKS_KEY needs 32 characters or more.")
if not PRODUCTION:
    WEBHOOKS_KEY = WEBHOOKS_KEY or SECRET_KEY
# The bearer token of a monitor that reads /metrics; without one the address does not exist.
METRICS_TOKEN = envsecret("ROSTRUM_METRICS_TOKEN")
# The address (DSN) of a server that collects errors by the protocol of Sentry; empty: none.
ERROR_REPORTS = envsecret("ROSTRUM_ERROR_REPORTS")
# Days for which the audit log and the security log keep an entry; 0: for good.
KEEP_AUDIT_DAYS = envint("ROSTRUM_KEEP_AUDIT_DAYS", default=1095)
KEEP_SECURITY_LOG_DAYS = envint("ROSTRUM_KEEP_SECURITY_LOG_DAYS", default=30, least=1)
CUSTODY = envchoice("ROSTRUM_CUSTODY", ("folder", "s3"), default="folder")
SCRATCH_DIR = Path(os.environ.get("ROSTRUM_SCRATCH_DIR", DATA_DIR / "scratch"))
if CUSTODY == "s3" or "ROSTRUM_S3_ENDPOINT" in os.environ:
    from coach.object_store import object_store

    STORAGES["recordings"] = object_store()
WHITENOISE_USE_FINDERS = True
# Recordings: never under a public URL; coach.rehearsals.views delivers them by permission.
MEDIA_ROOT = Path(os.environ.get("MEDIA_ROOT", DATA_DIR / "media"))
# Files of forms on their way, recordings among them: /tmp may be small. ScratchUploadHandler makes
# the folder, so Django need not complain that it is not there yet.
FILE_UPLOAD_TEMP_DIR = SCRATCH_DIR
FILE_UPLOAD_HANDLERS = [
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "coach.lib.files.full_disk.ScratchUploadHandler",
]
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024**2
# An hour and a half at 1080p, as phones record it (about 9 Mbit/s).
MAX_UPLOAD_BYTES = envint("ROSTRUM_MAX_UPLOAD_BYTES", default=6 * 1024**3, least=1)
# A PDF file with slides.
MAX_SLIDES_BYTES = envint("ROSTRUM_MAX_SLIDES_BYTES", default=40 * 1024**2, least=1)
MAX_MINUTES = envint("ROSTRUM_MAX_MINUTES", default=90, least=1)
# Of an interview or focus group that is recorded for a study.
MAX_INTERVIEW_MINUTES = envint("ROSTRUM_MAX_INTERVIEW_MINUTES", default=180, least=1)
# The public key of age that encrypts backups; empty: they are not encrypted.
BACKUP_RECIPIENT = os.environ.get("ROSTRUM_BACKUP_RECIPIENT", "")
# What one person may leave here: uploads that wait for a decision, bytes in all, analyses begun
# within an hour. Uploads that wait are deleted after some days, told on the page.
MOST_WAITING_UPLOADS = envint("ROSTRUM_MOST_WAITING_UPLOADS", default=10)
MOST_BYTES_OF_A_PERSON = envint("ROSTRUM_MOST_BYTES_OF_A_PERSON", default=20 * 1024**3)
ANALYSES_PER_HOUR = envint("ROSTRUM_ANALYSES_PER_HOUR", default=20)
# No more than a hundred years, so that there is a day on which it is over.
_CENTURY = 36_500
KEEP_UPLOADS_DAYS = envint("ROSTRUM_KEEP_UPLOADS_DAYS", default=14, least=1, most=_CENTURY)
# Days for which takes that were made in no cohort are kept; 0: until their owner deletes them.
# Cohorts have clocks of their own. Nothing goes before its owner was told so many days earlier.
KEEP_MEDIA_DAYS = envint("ROSTRUM_KEEP_MEDIA_DAYS", default=0, most=_CENTURY)
KEEP_REPORTS_DAYS = envint("ROSTRUM_KEEP_REPORTS_DAYS", default=0, most=_CENTURY)
# Days after which the original of an analysed take is deleted and only the copy for playback is
# stored; 0: never. Lost with it: another analysis, redoing a part, other sound tracks, metadata.
KEEP_ORIGINALS_DAYS = envint("ROSTRUM_KEEP_ORIGINALS_DAYS", default=0, most=_CENTURY)
# Recordings of exercises; the page says so, and there is no other notice (7: a rule of thumb).
KEEP_EXERCISES_DAYS = envint("ROSTRUM_KEEP_EXERCISES_DAYS", default=7, least=1, most=_CENTURY)
RETENTION_NOTICE_DAYS = envint("ROSTRUM_RETENTION_NOTICE_DAYS", default=14, most=_CENTURY)
# No upload begins that would leave less than this free: analysing needs room as well.
LEAST_FREE_BYTES = envint("ROSTRUM_LEAST_FREE_BYTES", default=2 * 1024**3)
# Large bodies that one web process receives at the same time, of one person and in all: fewer than
# its threads (coach/serving.py), so that pages always have some.
UPLOADS_AT_ONCE = envint("ROSTRUM_UPLOADS_AT_ONCE", default=2, least=1)
LARGE_BODIES_AT_ONCE = envint("ROSTRUM_LARGE_BODIES_AT_ONCE", default=16, least=1)

# --- speech: what reads English; other languages are read by the multilingual base model. Sizes
# beyond tiny.en are fetched with: python -m analysis models --size base.en
SPEECH_ENGINE = envchoice(
    "ROSTRUM_SPEECH_ENGINE",
    ("ctranslate2", "openai-whisper", "faster-whisper"),
    default="ctranslate2",
)
WHISPER_SIZE = envchoice(
    "ROSTRUM_WHISPER_SIZE", ("tiny.en", "base.en", "small.en"), default="tiny.en"
)

# --- rules: a change needs a second curator. A site with only one may set the hours that a change
# waits instead; 0 means that this is not allowed.
SINGLE_CURATOR_WAIT_HOURS = envint("ROSTRUM_SINGLE_CURATOR_WAIT_HOURS", default=0)

# --- email: printed when the product is tried out; in production a log is no place for reset links.
_MAILER = "coach.lib.mail.Beside" if PRODUCTION else "django.core.mail.backends.console."
EMAIL_BACKEND = os.environ.get("EMAIL_BACKEND", f"{_MAILER}EmailBackend")
EMAIL_HOST = os.environ.get("EMAIL_HOST", "localhost")
EMAIL_PORT = envint("EMAIL_PORT", default=25, least=1)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = envsecret("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = envbool("EMAIL_USE_TLS", default=False)
EMAIL_USE_SSL = envbool("EMAIL_USE_SSL", default=False)
if EMAIL_USE_TLS and EMAIL_USE_SSL:
    raise ImproperlyConfigured(
        "Set EMAIL_USE_TLS (STARTTLS, usually port 587) or EMAIL_USE_SSL (usually 465), not both."
    )
# Timeout for a relay that does not answer (rule of thumb).
EMAIL_TIMEOUT = envint("EMAIL_TIMEOUT", default=5, least=1)
# Address for replies; empty: DEFAULT_FROM_EMAIL.
EMAIL_REPLY_TO = os.environ.get("EMAIL_REPLY_TO", "")
# The mailbox to which relays return emails that could not be delivered, read by IMAP over TLS.
BOUNCES_HOST = os.environ.get("ROSTRUM_BOUNCES_HOST", "")
BOUNCES_PORT = envint("ROSTRUM_BOUNCES_PORT", default=993, least=1)
BOUNCES_ADDRESS = os.environ.get("ROSTRUM_BOUNCES_ADDRESS", "")
BOUNCES_PASSWORD = envsecret("ROSTRUM_BOUNCES_PASSWORD")
if BOUNCES_HOST and not (BOUNCES_ADDRESS and BOUNCES_PASSWORD) and PRODUCTION and SIGNS:
    raise ImproperlyConfigured(
        "ROSTRUM_BOUNCES_HOST needs ROSTRUM_BOUNCES_ADDRESS and ROSTRUM_BOUNCES_PASSWORD."
    )
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "rostrum@localhost")
# Minutes for which new notifications gather before they are sent as one email (rule of thumb).
NOTICE_MINUTES = envint("ROSTRUM_NOTICE_MINUTES", default=5)
# Address for links in emails that no page request caused.
_OWN = envorigins("ROSTRUM_ADDRESS") or CSRF_TRUSTED_ORIGINS
SITE_ADDRESS = next(iter(_OWN), "http://localhost:8000")

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_LEVEL = envchoice("LOG_LEVEL", _LEVELS, default="INFO")
_FORMATTER = "json" if logs_are_json() else "line"
_LINES_LEFT_OUT = ["RoutineFilter", "BrokerOutageFilter"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "coach.lib.logs.discreet.DiscreetFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
            "datefmt": "%Y-%m-%dT%H:%M:%S%z",
        },
        "json": {"()": "coach.lib.logs.json_lines.JsonFormatter"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": _FORMATTER}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "filters": {each: {"()": f"coach.lib.logs.routine.{each}"} for each in _LINES_LEFT_OUT},
    "loggers": {
        "celery.app.trace": {"filters": _LINES_LEFT_OUT[:1]},
        "celery.worker.strategy": {"filters": _LINES_LEFT_OUT[:1]},
        "celery.beat": {"filters": _LINES_LEFT_OUT},
    },
}
