"""Settings, read once from the environment, typed, and loudly wrong."""

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
)

# What Django and Celery read from here as well: each of its names is a setting.
from coach.queue_settings import *  # noqa: F403
from coach.sign_in_settings import *  # noqa: F403

# Lets ModelAdmin[...] and the like be written with their types; see the package's README.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent

DATA_DIR = Path(os.environ.get("ROSTRUM_DATA_DIR", BASE_DIR / "var"))

DEBUG = envbool("DEBUG", default=False)
PRODUCTION = envbool("ROSTRUM_PRODUCTION", default=False)
# A worker serves no page and signs nothing. It decodes what strangers upload, so it is better not
# told the key that signs everybody in.
SIGNS = envchoice("ROSTRUM_PROCESS", ("web", "worker"), default="web") == "web"
SECRET_KEY = envsecret("SECRET_KEY")
# Keys of before, while what they signed may still be in use (sessions, reset links).
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
    # What Django's own check --deploy (security.W009) asks of a key.
    if SECRET_KEY and (len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 5):
        raise ImproperlyConfigured("SECRET_KEY needs 50 characters or more; see .env.example.")
if not SECRET_KEY:
    # manage.py and the demonstration keep one in the data folder; a process without either gets
    # a key of its own, so that nobody can ever know it.
    SECRET_KEY = secrets.token_urlsafe(50)
# Stands behind the names of takes in research exports: a site that changes its SECRET_KEY keeps
# the old one here, and exports go on naming the same take the same.
PSEUDONYM_KEY = envsecret("ROSTRUM_PSEUDONYM_KEY") or SECRET_KEY
ALLOWED_HOSTS = envhosts("ALLOWED_HOSTS") or ["localhost", "127.0.0.1", "[::1]", "testserver"]
CSRF_TRUSTED_ORIGINS = envorigins("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "coach.lib",
    "coach.audit",
    "coach.accounts",
    "coach.rehearsals",
    "coach.drafts",
    "coach.notices",
    "coach.rulesets",
    "coach.feedback",
    "coach.practice",
    "coach.guests",
    "coach.review",
    "coach.review.rubric",
    "coach.review.second",
    "coach.curation",
    "coach.research",
    "coach.portal",
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
    "csp",
    "django_htmx",
]

# What lower apps ask of upper ones without importing them. Takes on which a coach judges
# independently, so that nothing found is shown to them yet; and links beside a report.
HIDES_FINDINGS = (
    "coach.review.rubric.selectors.to_rate_first",
    "coach.review.second.selectors.blind_to",
)
BESIDE_REPORT = (
    "coach.review.rubric.page.link_to_ratings",
    "coach.practice.plan.parts.link_for_coach",
)
# What practising adds to reports and to the trainee's home, and what its owner is to see before a
# report is shown (coach.feedback.pages.extensions).
REPORT_PARTS: tuple[str, ...] = (
    "coach.practice.exercises.parts.on_cards",
    "coach.practice.redo.parts.on_report",
    "coach.practice.self_assessment.parts.on_report",
)
# Rows of upper apps that every report looks at: they come with the take, in one query.
REPORT_ROWS: tuple[str, ...] = ("self_assessment",)
HOME_PARTS: tuple[str, ...] = (
    "coach.portal.personal.asking_anew.at_home",
    "coach.practice.plan.parts.at_home",
    "coach.practice.exercises.parts.at_home",
)
# Recordings in storage that are no takes: whose bytes are to be there, and may be.
OTHER_RECORDINGS: tuple[str, ...] = ("coach.research.coding.recordings.selectors.kept_recordings",)
# Deletes drafts about a take when the take is deleted: each app on its own pages.
TAKE_DRAFTS = (
    "coach.drafts.purge.purge_drafts_of_take",
    "coach.guests.services.purge_drafts_of_take",
    "coach.research.coding.erasing.purge_drafts_of_take",
)
HOLDS_REPORT: tuple[str, ...] = ("coach.practice.self_assessment.parts.before_report",)

MIDDLEWARE = [
    "coach.lib.web.health.answer_health",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "coach.lib.web.compression.CompressText",
    "coach.lib.web.caching.keep_no_page",
    "coach.lib.web.http.forbid_camera_and_microphone",
    "csp.middleware.CSPMiddleware",
    "coach.lib.audit_context.audit_context",
    "coach.lib.web.client_address.keep_request",
    "coach.lib.files.full_disk.SessionsThatFit",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "coach.accounts.languages.language_middleware",
    "coach.lib.web.reader_zone.time_zone_middleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "coach.drafts.middleware.draft_recovery_middleware",
    "coach.lib.web.large_bodies.limit_large_bodies",
    "coach.rehearsals.storage_unavailable.storage_unavailable_middleware",
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
            ],
            "builtins": ["coach.lib.templatetags.dates"],
        },
    },
]

# manage.py and the demonstration start the embedded PostgreSQL where DATABASE_URL is not set; this
# module never starts anything, since type checkers and tests import it.
DATABASES = {
    "default": envdatabase("DATABASE_URL", default="postgresql://rostrum@localhost/rostrum"),
}
# A database machine that vanishes says no goodbye: without these a worker would wait for a quarter
# of an hour and lose every lease (seconds, the last in milliseconds; rule of thumb).
DATABASES["default"]["OPTIONS"] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
    **DATABASES["default"].get("OPTIONS", {}),
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- what is counted across processes and restarts (wrong tries at signing in): in PostgreSQL, so
# that nothing more has to be up for signing in. Its table comes with a migration of accounts.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "django_cache",
        # Guesses at other accounts must not push out what is counted for one.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
}

# --- security
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = envbool("ROSTRUM_HTTPS", default=False)
LANGUAGE_COOKIE_SECURE = SESSION_COOKIE_SECURE
SECURE_SSL_REDIRECT = envbool("ROSTRUM_HTTPS", default=False)
SECURE_HSTS_SECONDS = 31_536_000 if SECURE_SSL_REDIRECT else 0
# HSTS for other names of the domain, and browsers' preload lists, are not ours to decide.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SECURE_SSL_REDIRECT else None
# Signing in is slowed down by address: without this, one who guesses behind the same proxy as
# everybody else would lock all of them out.
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
# What a visitor chose; who is signed in has a language of their own (coach.accounts.languages).
LANGUAGE_COOKIE_NAME = "rostrum_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = envzone("TIME_ZONE", default="UTC")

# --- files
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT", DATA_DIR / "static"))
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "coach.lib.web.static_files.HashedFiles",
        # Root collects them into the image and somebody else serves them: not as private as what
        # people upload (below).
        "OPTIONS": {"file_permissions_mode": 0o644, "directory_permissions_mode": 0o755},
    },
}
# Where recordings lie: a folder that web and workers share, or a bucket of an S3-compatible store,
# from which workers on other machines fetch what they need into SCRATCH_DIR and clear it again.
# What /ready/ asks besides the database and the queue.
HEALTH_CHECKS = {
    "disk": "coach.rehearsals.quota.check_room",
    "mail": "coach.notices.health.check_mail",
    "recordings": "coach.rehearsals.sweeping.check_recordings",
}
# For how many days the audit log and the security log keep an entry; 0: for good.
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
# Files of ordinary forms on their way: in containers /tmp is small.
FILE_UPLOAD_TEMP_DIR = SCRATCH_DIR if SCRATCH_DIR.is_dir() else None
FILE_UPLOAD_HANDLERS = [
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "coach.lib.files.full_disk.ScratchUploadHandler",
]
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024**2
# An hour and a half at 1080p, as phones record it (about 9 Mbit/s).
MAX_UPLOAD_BYTES = envint("ROSTRUM_MAX_UPLOAD_BYTES", default=6 * 1024**3, least=1)
MAX_MINUTES = envint("ROSTRUM_MAX_MINUTES", default=90, least=1)
# Of an interview or focus group that is recorded for a study.
MAX_INTERVIEW_MINUTES = envint("ROSTRUM_MAX_INTERVIEW_MINUTES", default=180, least=1)
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
RETENTION_NOTICE_DAYS = envint("ROSTRUM_RETENTION_NOTICE_DAYS", default=14, most=_CENTURY)
# No upload begins that would leave less than this free: analysing needs room as well.
LEAST_FREE_BYTES = envint("ROSTRUM_LEAST_FREE_BYTES", default=2 * 1024**3)
# Recordings that one person sends at the same time, and large bodies that one web process takes
# at the same time: fewer than its threads (coach/serving.py), so that pages always have some.
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

# --- rules: a change needs a second curator. A site with a single one may name the hours that a
# change waits instead; 0 means that it may not.
SINGLE_CURATOR_WAIT_HOURS = envint("ROSTRUM_SINGLE_CURATOR_WAIT_HOURS", default=0)

# --- mail
# Printed where somebody tries the product out; in production a log is no place for reset links.
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
# A relay that is silent is not waited for long (rule of thumb).
EMAIL_TIMEOUT = envint("EMAIL_TIMEOUT", default=5, least=1)
# Where answers of people go; empty: to DEFAULT_FROM_EMAIL.
EMAIL_REPLY_TO = os.environ.get("EMAIL_REPLY_TO", "")
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "rostrum@localhost")
# What is new gathers for so many minutes and leaves as one mail (rule of thumb).
NOTICE_MINUTES = envint("ROSTRUM_NOTICE_MINUTES", default=5)
# Where links in mails lead that no page was asked for.
_OWN = envorigins("ROSTRUM_ADDRESS") or CSRF_TRUSTED_ORIGINS
SITE_ADDRESS = next(iter(_OWN), "http://localhost:8000")

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
LOG_LEVEL = envchoice("LOG_LEVEL", _LEVELS, default="INFO")
_LINES_LEFT_OUT = ["NotRoutine", "OnceWhileAway"]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "coach.lib.logs.discreet.DiscreetFormatter",
            "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
            "datefmt": "%Y-%m-%dT%H:%M:%S%z",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "filters": {each: {"()": f"coach.lib.logs.routine.{each}"} for each in _LINES_LEFT_OUT},
    "loggers": {
        "celery.app.trace": {"filters": _LINES_LEFT_OUT[:1]},
        "celery.worker.strategy": {"filters": _LINES_LEFT_OUT[:1]},
        "celery.beat": {"filters": _LINES_LEFT_OUT},
    },
}
