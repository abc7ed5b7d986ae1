"""Commands speak the language of the terminal: help, what is wrong, and what they found."""

from __future__ import annotations

import json
import wave
from pathlib import Path

import pytest

from analysis import cli as analysing
from analysis.results import Note
from analysis.sentences import ENGLISH
from analysis.terminal import language_here, set_terminal_language
from demo.__main__ import _arguments as demo_arguments
from feedback_rules import cli as ruling


@pytest.fixture
def in_french(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a French terminal; the system need not have the locale."""
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", "fr_FR.UTF-8")


@pytest.mark.usefixtures("in_french")
def test_help_and_wrong_arguments_are_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        analysing.main(["--help"])
    said = capsys.readouterr().out
    assert "utilisation\u00a0: " in said
    assert "arguments\u00a0:\n" in said
    assert "un fichier vidéo ou audio" in said
    assert "show this help" not in said
    assert analysing.main(["--language", "de", "talk.mp4"]) == 2
    assert "'de' n’est pas un choix possible" in capsys.readouterr().err
    assert analysing.main(["--to", "0", "talk.mp4"]) == 2
    assert "E200 Le temps après --from doit précéder" in capsys.readouterr().err


@pytest.mark.usefixtures("in_french")
def test_what_is_wrong_with_a_file_is_said_in_french(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert analysing.main([str(tmp_path / "nothing.mp4")]) == 1
    assert capsys.readouterr().err == "E101 Ce fichier n’existe pas. Vérifiez le nom du fichier.\n"


@pytest.mark.usefixtures("in_french")
def test_a_sample_is_judged_in_french(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with wave.open(str(tmp_path / "short.wav"), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(bytes(32_000))
    assert analysing.main(["check", str(tmp_path / "short.wav")]) == 0
    [level, *_rest] = json.loads(capsys.readouterr().out)["findings"]
    assert (level["code"], level["words"][:20]) == ("sample_short", "L’essai est court. L")


@pytest.mark.usefixtures("in_french")
def test_rules_are_checked_in_french(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.yml").write_text("id: x\n")
    assert ruling.main(["lint", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "E301 x.yml:1: id: La forme attendue ici" in out
    assert err == "E302 Problèmes trouvés\u00a0: 1.\n"
    assert ruling.main(["run", str(tmp_path / "nothing.json")]) == 1
    assert "nothing.json ne peut pas être lu" in capsys.readouterr().err


@pytest.mark.usefixtures("in_french")
def test_the_demonstration_asks_in_french(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    set_terminal_language()
    monkeypatch.setattr("sys.argv", ["demo", "--video", "nothing.mp4"])
    with pytest.raises(SystemExit):
        demo_arguments()
    assert "il n’y a pas de fichier nothing.mp4" in capsys.readouterr().err


@pytest.mark.usefixtures("in_french")
def test_numbers_are_written_as_in_french() -> None:
    note = Note.of("face_seldom", seen=1 / 3, base="speech", needed=0.6)
    assert "33\u00a0%" in note.said_to(set_terminal_language())
    assert set_terminal_language().write(2.5, ".1f") == "2,5"


def test_a_language_that_we_do_not_have_is_answered_in_english(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("LANGUAGE", raising=False)
    for asked in ("de_DE.UTF-8", "en_GB.UTF-8", "C", "../fr"):
        monkeypatch.setenv("LC_ALL", asked)
        assert language_here() == ""
        assert set_terminal_language() is ENGLISH
