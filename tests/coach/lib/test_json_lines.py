"""Logs as JSON: one object a line, redacted, with the request or task it belongs to."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from coach.lib.logs.json_lines import HEADER, JsonFormatter, request_id_middleware
from tests.parts import ROOT

log = logging.getLogger("coach.test")


def line_of(message: str, *values: object, exc_info: bool = False) -> dict[str, str]:
    record = log.makeRecord(
        "coach.test",
        *(logging.ERROR, __file__, 1, message, values),
        exc_info=sys.exc_info() if exc_info else None,
    )
    written = JsonFormatter().format(record)
    assert "\n" not in written
    found: dict[str, str] = json.loads(written)
    return found


def test_a_line_has_its_fields_and_no_key() -> None:
    said = line_of("asked for %s", "/guest/dG9rZW4/")
    assert said["message"] == "asked for /guest/(left out)/"
    assert (said["level"], said["logger"]) == ("ERROR", "coach.test")
    assert said["time"].endswith("Z")
    assert "request" not in said


def test_a_traceback_stays_in_its_line() -> None:
    try:
        int("anna@school.example")
    except ValueError:
        said = line_of("failed", exc_info=True)
    assert "Traceback" in said["message"]
    assert "anna" not in said["message"]


@pytest.mark.parametrize(
    ("given", "is_kept"), [("proxy-id-1234", True), ('x"\nforged: 1', False), ("", False)]
)
def test_a_request_has_one_id_in_lines_and_answer(given: str, is_kept: bool) -> None:
    seen: list[str] = []

    def page(_request: HttpRequest) -> HttpResponse:
        seen.append(line_of("inside")["request"])
        return HttpResponse()

    request = RequestFactory().get("/", headers={HEADER: given})
    answer = request_id_middleware(page)(request)
    assert seen == [answer.headers[HEADER]]
    assert (seen[0] == given) is is_kept
    assert "request" not in line_of("outside")


def test_an_access_line_of_gunicorn_has_the_id_of_its_answer() -> None:
    # As gunicorn hands it over: the line's values, headers of the answer among them.
    said = line_of("%(r)s", {"r": "GET / HTTP/1.1", "{x-request-id}o": "0123456789abcdef"})
    assert (said["message"], said["request"]) == ("GET / HTTP/1.1", "0123456789abcdef")


def test_pages_say_the_id(db: None) -> None:
    assert len(Client().get("/about/").headers[HEADER]) == 32


def test_the_setting_changes_what_a_process_writes() -> None:
    program = "import django, logging; django.setup(); logging.getLogger('coach').warning('here')"
    environment = {
        **os.environ,
        "ROSTRUM_LOG_FORMAT": "json",
        "DJANGO_SETTINGS_MODULE": "coach.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    lines = [json.loads(each) for each in done.stderr.decode().splitlines()]
    assert [each["message"] for each in lines] == ["here"]
