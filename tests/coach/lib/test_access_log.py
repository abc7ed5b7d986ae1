"""Who reads the log of requests finds no key to anybody's account in it."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.test import Client
from django.urls import reverse
from gunicorn.config import Config

from coach import serving
from coach.lib.logs.access_log import DiscreetLogger
from coach.lib.logs.discreet import DiscreetFormatter, make_discreet, without_keys

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_SECONDS = 20.0


def test_the_link_of_an_invitation_is_written_down_without_its_key() -> None:
    keys = {"uidb36": "3f", "key": "dk1abc-0123456789abcdef"}
    link = reverse("account_reset_password_from_key", kwargs=keys)
    for line in (f"GET {link} HTTP/1.1", f"GET {link}?next=/ HTTP/1.1", f"https://x.org{link}"):
        said = str(without_keys(line))
        assert "dk1abc" not in said
        assert "3f" not in said
        assert said.endswith(line.partition(link)[2])
    assert without_keys(200) == 200
    assert without_keys(f"GET {reverse('account_reset_password')} HTTP/1.1") == (
        "GET /accounts/password/reset/ HTTP/1.1"
    )


def test_a_key_within_the_query_of_an_address_is_left_out_too() -> None:
    for line in ("/accounts/login/?next=%2Fguest%2FdG9rZW4%2F", "/x/?next=/guest/dG9rZW4/&a=1"):
        said = str(without_keys(line))
        assert "dG9rZW4" not in said
        assert "(left out)" in said
    inside = "/guest/in/0b0e7c1e/media/"
    assert without_keys(inside) == inside


@pytest.mark.django_db
def test_what_the_site_refuses_is_logged_without_the_key(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for method in ("get", "post", "put"):
        getattr(Client(enforce_csrf_checks=True), method)("/guest/dG9rZW4tc2VjcmV0/")
    written = next(each for each in logging.getLogger().handlers if each.name == "console")
    assert isinstance(written.formatter, DiscreetFormatter)
    lines = [written.format(record) for record in caplog.records]
    assert any("/guest/(left out)/" in line for line in lines)
    assert not any("dG9rZW4" in line for line in lines)
    assert any("dG9rZW4" in record.getMessage() for record in caplog.records)


def test_so_is_a_request_that_the_server_could_not_handle(
    capsys: pytest.CaptureFixture[str],
) -> None:
    address = "/guest/dG9rZW4/"
    log = DiscreetLogger(Config())
    try:
        int(address)
    except ValueError:
        log.exception("Error handling request %s", address)
    log.warning("Invalid HTTP request line: 'GET %s x'", address)
    written = capsys.readouterr().err
    assert "Error handling request /guest/(left out)/" in written
    assert "base 10: '/guest/(left out)/'" in written
    assert "'GET /guest/(left out)/ x'" in written
    assert "dG9rZW4" not in written


def test_what_serves_the_site_writes_such_lines(tmp_path: Path) -> None:
    assert serving.logger_class is DiscreetLogger
    (tmp_path / "small.py").write_text(
        "def app(environ, start_response):\n"
        "    start_response('404 Not Found', [('Content-Length', '0')])\n"
        "    return [b'']\n"
    )
    log = tmp_path / "log"
    command = (sys.executable, "-m", "gunicorn", "small:app", "--config", "python:coach.serving")
    options = ("--bind", "127.0.0.1:0", "--workers", "1", "--pythonpath", str(tmp_path))
    with log.open("wb") as written:
        server = subprocess.Popen([*command, *options], cwd=ROOT, stdout=written, stderr=written)
    try:
        address = _address_in(log)
        referer = {"Referer": f"{address}/accounts/password/reset/key/9z-secret2/"}
        with pytest.raises(HTTPError):
            urlopen(Request(f"{address}/accounts/password/reset/key/3f-secret1/", headers=referer))  # noqa: S310
        led_by = {"Referer": f"{address}/?q=secret"}
        asked = Request(f"{address}/admin/?q=secret%20Anna", headers=led_by)  # noqa: S310
        with pytest.raises(HTTPError):
            urlopen(asked)  # noqa: S310
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE_SECONDS)
    lines = log.read_text()
    assert lines.count("/accounts/password/reset/key/(left out)") == 2
    assert '"GET /admin/?(left out) HTTP/1.1" 404' in lines
    assert "secret" not in lines


def _address_in(log: Path) -> str:
    for _again in range(200):
        for line in log.read_text().splitlines():
            if "Listening at: " in line:
                return line.partition("Listening at: ")[2].partition(" ")[0]
        time.sleep(0.1)
    pytest.fail("gunicorn does not listen")


@pytest.mark.parametrize("zone", ["Europe/Paris", "America/New_York"])
def test_every_line_of_every_log_says_its_time_in_utc(
    zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Django sets the zone of the process; lines of before and after would differ by hours."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        record = logging.makeLogRecord({"msg": "said", "created": 0.0, "levelno": logging.INFO})
        logger = logging.getLogger("of a worker")
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("[%(asctime)s: %(levelname)s] %(message)s"))
        logger.addHandler(handler)
        make_discreet(logger)
        console = next(each for each in logging.getLogger().handlers if each.name == "console")
        for formatted in (handler.format(record), console.format(record)):
            assert "1970-01-01T00:00:00+0000" in formatted
        assert DiscreetLogger(Config()).now().endswith(" +0000]")
    finally:
        monkeypatch.undo()
        time.tzset()
