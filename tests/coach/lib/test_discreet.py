"""Who reads the log of a worker learns from it what failed, and nothing of people."""

from __future__ import annotations

import io
import logging
import time
from smtplib import SMTPRecipientsRefused

import pytest
from celery.signals import after_setup_logger, after_setup_task_logger
from celery.utils.dispatch import Signal
from django.db import DatabaseError, connection

from coach.celery import app

SAID = "Anna Verne\nand then my brother said"
EACH = pytest.mark.parametrize("signal", [after_setup_logger, after_setup_task_logger])


def worker_log(signal: Signal) -> tuple[logging.Logger, io.StringIO]:
    """As Celery sets one up: with its own handler and format, and then it says so."""
    logger, written = logging.Logger("a worker's"), io.StringIO()  # noqa: LOG001  # of nobody else
    app.log.setup_handlers(logger, written, app.conf.worker_log_format, colorize=False)
    signal.send(sender=None, logger=logger, loglevel="INFO", logfile=None, colorize=False)
    return logger, written


@EACH
def test_a_worker_writes_no_key_into_its_log(signal: Signal) -> None:
    log, written = worker_log(signal)
    log.info("asked for %s", "/guest/dG9rZW4/")
    line = written.getvalue()
    assert "INFO" in line
    assert line.endswith("asked for /guest/(left out)/\n")


@pytest.mark.django_db
def test_the_row_that_the_database_refused_is_not_told() -> None:
    log, written = worker_log(after_setup_logger)
    row = "INSERT INTO accounts_user (name, email) VALUES (%s, 'anna@school.example')"
    with pytest.raises(DatabaseError, match=SAID) as refused, connection.cursor() as cursor:
        cursor.execute(row, [SAID])
    log.error("Task raised: %r", refused.value, exc_info=refused.value)
    told = written.getvalue()
    assert "violates not-null constraint" in told
    assert told.count("DETAIL: (left out)") == 3
    assert "The above exception was the direct cause" in told
    for name in ("Anna", "my brother", "school.example"):
        assert name not in told


def test_whose_mail_a_relay_refused_is_not_told() -> None:
    log, written = worker_log(after_setup_logger)
    refused = SMTPRecipientsRefused({"anna@school.example": (550, b"<anna@school.example>?")})
    log.error("a mail could not be sent", exc_info=refused)
    assert "550" in written.getvalue()
    assert "anna" not in written.getvalue()


def test_a_worker_is_still_called_by_its_name() -> None:
    log, written = worker_log(after_setup_logger)
    log.info("media@host.example.org ready.")
    assert "media@host.example.org ready." in written.getvalue()


def test_a_long_word_in_a_line_is_read_once() -> None:
    """Whoever asks for an address that is not there has it written into the log."""
    log, written = worker_log(after_setup_logger)
    word, began = "a" * 50_000, time.thread_time()
    log.warning("Not Found: /%s anna@school.example", word)
    assert time.thread_time() - began < 1.0
    assert written.getvalue().endswith(f"Not Found: /{word} (address left out)\n")
