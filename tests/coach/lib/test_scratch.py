"""Where the file system knows no locks, the scratch folder does its work all the same."""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from coach.lib.files import scratch as module
from coach.lib.files.scratch import clear_scratch, scratch


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_without_locks_it_works_and_what_was_left_goes_after_a_day(
    number: int,
    tmp_path: Path,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def flock(*_args: object) -> None:
        raise OSError(number, os.strerror(number))

    settings.SCRATCH_DIR = tmp_path / "scratch"
    monkeypatch.setattr(fcntl, "flock", flock)
    with caplog.at_level(logging.WARNING, logger=module.__name__):
        for _time in range(2):
            with scratch() as folder:
                assert folder.stat().st_mode & 0o077 == 0
                (folder / "words.txt").write_text("Ana: so I said")
                # As a kill leaves it.
                left = folder.with_name(f"{folder.name}-left")
                shutil.copytree(folder, left, dirs_exist_ok=True)
                clear_scratch()
                assert (folder / "words.txt").exists()
            assert not folder.exists()
    assert len(caplog.messages) == 1
    assert "has no locks" in caplog.text
    os.utime(left, (0, 0))
    clear_scratch()
    assert not left.exists()
    assert len(list(settings.SCRATCH_DIR.iterdir())) == 1


def test_what_else_is_wrong_with_it_is_said(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_args: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    settings.SCRATCH_DIR = tmp_path / "scratch"
    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(OSError, match="Input/output"), scratch():
        pass
