"""Typed reading of environment variables; invalid values raise ImproperlyConfigured."""

from __future__ import annotations

import base64
import json
import os
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

_LEAST_BITS = 2048
"""Smallest RSA key; smaller ones are no longer thought safe (NIST SP 800-131A)."""


def envbool(name: str, *, default: bool) -> bool:
    """Return a Boolean; only `True` and `False` are valid."""
    value = os.environ.get(name)
    if value is None:
        return default
    if value not in {"True", "False"}:
        raise ImproperlyConfigured(f"{name} must be True or False, not {value!r}.")
    return value == "True"


def envint(name: str, *, default: int, least: int = 0, most: int | None = None) -> int:
    """Return a whole number within the limits."""
    value = os.environ.get(name, "")
    if not value:
        return default
    try:
        number = int(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from error
    if number < least:
        raise ImproperlyConfigured(f"{name} must be {least} or more, not {value}.")
    if most is not None and number > most:
        raise ImproperlyConfigured(f"{name} must be {most} or less, not {value}.")
    return number


def envchoice(name: str, choices: tuple[str, ...], *, default: str) -> str:
    """Return one of the choices, or the default."""
    value = os.environ.get(name) or default
    if value not in choices:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(choices)}, not {value!r}.")
    return value


def logs_are_json() -> bool:
    """Return whether the logs of this process are JSON (`ROSTRUM_LOG_FORMAT`), else text."""
    return envchoice("ROSTRUM_LOG_FORMAT", ("text", "json"), default="text") == "json"


def envzone(name: str, *, default: str) -> str:
    """Return the name of a time zone, or the default."""
    value = os.environ.get(name) or default
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ImproperlyConfigured(
            f"{name} must be the name of a time zone such as Europe/Paris, not {value!r}."
        ) from error
    return value


def envlist(name: str) -> list[str]:
    """Return comma-separated values."""
    return [part.strip() for part in os.environ.get(name, "").split(",") if part.strip()]


def envmapping(name: str) -> dict[str, str]:
    """Return a JSON object that maps texts to texts."""
    try:
        found = json.loads(os.environ.get(name) or "{}")
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise ImproperlyConfigured(f'{name} must be a JSON object such as {{"value": "Group"}}.')
    return found


def envrsakey(name: str) -> str:
    """Return an RSA private key in PEM, which may be written as one line of base64; empty if not
    set. Errors never contain the key.
    """
    value = envsecret(name)
    if not value:
        return ""
    # Only a site with such a key waits for this library.
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey  # noqa: PLC0415
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
        load_pem_private_key,
    )

    try:
        pem = value if value.startswith("-----") else base64.b64decode(value).decode()
        key = load_pem_private_key(pem.encode(), password=None)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, RSAPrivateKey) or key.key_size < _LEAST_BITS:
        raise ImproperlyConfigured(
            f"{name} must be an RSA private key (PEM or its base64) of {_LEAST_BITS} bits or more."
        )
    return pem


def envissuer(name: str) -> str:
    """Return the issuer of an OpenID Connect provider as it spells itself; empty if not set."""
    issuer = os.environ.get(name, "")
    if issuer and not re.fullmatch(
        r"https://[^?#\s]+|http://(localhost|127\.0\.0\.1)[^?#\s]*", issuer
    ):
        raise ImproperlyConfigured(
            f"{name} must be an address such as https://login.uni.example, not {issuer!r}."
        )
    return issuer


def envchoices(name: str, choices: tuple[str, ...]) -> frozenset[str]:
    """Return comma-separated choices."""
    values = envlist(name)
    for value in values:
        if value not in choices:
            raise ImproperlyConfigured(f"{name} takes {', '.join(choices)}, not {value!r}.")
    return frozenset(values)


def envhosts(name: str) -> list[str]:
    """Return host names. A URL or port is refused, since every page would answer 400."""
    hosts = envlist(name)
    for host in hosts:
        if "/" in host or re.search(r"\w:\d+$", host):
            raise ImproperlyConfigured(
                f"{name} holds names alone, such as rostrum.example.org, not {host!r}."
            )
    return hosts


def envorigins(name: str) -> list[str]:
    """Return origins, host names with their scheme, as browsers send them in the Origin header."""
    origins = [origin.rstrip("/") for origin in envlist(name)]
    for origin in origins:
        if not re.fullmatch(r"https?://[^/]+", origin):
            raise ImproperlyConfigured(
                f"{name} holds addresses such as https://rostrum.example.org, not {origin!r}."
            )
    return origins


def envdatabase(name: str, *, default: str) -> dj_database_url.DBConfig:
    """Return the database settings of a URL. Errors never contain its password."""
    try:
        found = dj_database_url.parse(
            os.environ.get(name) or default, conn_max_age=60, conn_health_checks=True
        )
    except ValueError:
        found = dj_database_url.DBConfig()
    if "postgresql" not in found.get("ENGINE", ""):
        raise ImproperlyConfigured(
            f"{name} must read postgresql://NAME:PASSWORD@HOST/DATABASE. A password that is put "
            "there as it is may hold letters, digits, - and _ only; write other signs as %XX."
        )
    return found


def envbroker(name: str, *, default: str) -> str:
    """Return the address of the broker. With TLS it must ask for a valid certificate.

    Celery would connect to any server if `ssl_cert_reqs` is missing.
    """
    address = os.environ.get(name) or default
    query = parse_qs(urlsplit(address).query)
    if address.startswith("rediss:") and query.get("ssl_cert_reqs") != ["required"]:
        raise ImproperlyConfigured(
            f"{name} must end in ?ssl_cert_reqs=required, with &ssl_ca_certs=FILE for an "
            "authority of your own."
        )
    return address


def envsecret(name: str) -> str:
    """Return a secret: the variable, or the content of the file in NAME_FILE (Docker secrets)."""
    path = os.environ.get(f"{name}_FILE")
    if not path:
        return os.environ.get(name, "")
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error}.") from error
