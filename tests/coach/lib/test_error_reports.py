"""Error reports to a real HTTP server, from a process of its own: the client patches Django."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from tests.parts import ROOT

FAILING_PAGES = """
import logging, sys, types
import django
django.setup()
from django.test import Client, override_settings
from django.urls import path
import sentry_sdk

def page(request, take):
    secret = request.POST["words"]
    raise ValueError(f"Key (email)=(anna@school.example) in {secret}")

sys.modules["failing"] = types.SimpleNamespace(urlpatterns=[path("fails/<int:take>/", page)])
with override_settings(ROOT_URLCONF="failing", MIDDLEWARE=[
    "coach.lib.logs.json_lines.request_id_middleware",
    "coach.lib.audit_context.audit_context",
]):
    Client(raise_request_exception=False).post(
        "/fails/7/?word=geheim", {"words": "geheim"}, headers={"Cookie": "sessionid=geheim"}
    )
logging.getLogger("coach.test").error("a step for %s failed", "anna@school.example geheim")
sentry_sdk.flush(10)
"""


class Collector(BaseHTTPRequestHandler):
    """A server for reports that keeps what it gets."""

    got: list[bytes]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        zipped = self.headers.get("Content-Encoding") == "gzip"
        self.got.append(gzip.decompress(body) if zipped else body)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_args: object) -> None:
        """Print nothing."""


def reports_of(script: str) -> list[bytes]:
    Collector.got = []
    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://key@127.0.0.1:{server.server_port}/1"
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "coach.settings"}
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env=environment | {"ROSTRUM_ERROR_REPORTS": address},
            check=True,
            capture_output=True,
            timeout=120,
        )
        server.shutdown()
    return Collector.got


def events_in(envelopes: list[bytes]) -> list[dict[str, Any]]:
    """The reports in envelopes: a line of JSON each, after the lines that describe them."""
    lines = [json.loads(line) for each in envelopes for line in each.splitlines() if line]
    return [line for line in lines if "level" in line]


def test_a_report_says_where_it_failed_and_holds_no_personal_data() -> None:
    envelopes = reports_of(FAILING_PAGES)
    page, logged = events_in(envelopes)
    (exception,) = page["exception"]["values"]
    assert exception["type"] == "ValueError"
    assert exception["stacktrace"]["frames"][-1]["function"] == "page"
    assert len(page["tags"]["request"]) == 32
    assert page["tags"]["place"]
    assert logged["logentry"]["message"] == "a step for %s failed"
    for each in envelopes:
        assert b"geheim" not in each
        assert b"school.example" not in each
