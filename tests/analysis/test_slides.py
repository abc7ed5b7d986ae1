"""Slides beside a talk, and the child process that opens PDF files."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, TextStringObject
from reportlab.pdfgen.canvas import Canvas

from analysis.backends.pdf_pages import PdfRefused, open_pdf
from analysis.ports import SlideChange
from analysis.results import Word
from analysis.slides import align, compare

TEXTS = ["Heating the school", "Roof and windows lose most of the heat", "Timetable: July"]
SAID = (
    "Welcome to the school. We want to stop heating with gas. "
    "Roof and windows lose most of the heat in every winter that we have had here. "
    "Builders come in July. That is the timetable."
)


def words_of(said: str, seconds: float = 0.5) -> list[Word]:
    """Return words of a talk, one every half second."""
    return [
        Word(text=text, start=at * seconds, end=at * seconds + 0.4, probability=0.9)
        for at, text in enumerate(said.split())
    ]


def deck(path: Path, *, pages: int = 2, size: tuple[float, float] = (960, 540)) -> Path:
    """Write a deck with one line on each page."""
    canvas = Canvas(str(path), pagesize=size)
    for number in range(pages):
        canvas.drawString(60, 60, f"Slide number {number + 1}")
        canvas.showPage()
    canvas.save()
    return path


def test_sentences_are_aligned_forward_only() -> None:
    changes = align(words_of(SAID), TEXTS, language="en")
    assert changes is not None
    assert [change.slide for change in changes] == [0, 1, 2]
    assert changes[0].seconds == 0


def test_recorded_changes_give_times_silence_and_words_read_aloud() -> None:
    words = words_of(SAID)
    changes = [SlideChange(0, 0), SlideChange(5.4, 1), SlideChange(6.0, 2), SlideChange(6.5, 1)]
    found = compare(words, TEXTS, language="en", duration=20, changes=changes)
    assert found is not None
    assert not found.is_estimated
    assert [round(each.seconds, 1) for each in found.slides] == [5.4, 14.1, 0.5]
    assert [each.passed_over for each in found.slides] == [False, False, True]
    assert found.visits[1].silence == 0
    assert found.slides[1].read >= 5
    assert "windows lose" in found.slides[1].quotes[0].text


def test_changes_outside_the_talk_or_the_deck_are_left_out() -> None:
    changes = [SlideChange(0, 0), SlideChange(1, 9), SlideChange(99, 1), SlideChange(-1, 1)]
    found = compare(words_of(SAID), TEXTS, language="en", duration=20, changes=changes)
    assert found is not None
    assert [visit.slide for visit in found.visits] == [0]


def test_scanned_slides_are_not_aligned() -> None:
    assert align(words_of(SAID), ["", ""], language="en") is None


def test_pages_become_pictures_with_text(tmp_path: Path) -> None:
    pages = open_pdf(deck(tmp_path / "a.pdf", size=(200_000, 200_000)), tmp_path)
    assert [page.text for page in pages] == ["Slide number 1", "Slide number 2"]
    assert all((tmp_path / page.picture).stat().st_size < 200_000 for page in pages)


def test_scripts_and_attached_files_are_ignored(tmp_path: Path) -> None:
    writer = PdfWriter(clone_from=deck(tmp_path / "a.pdf"))
    writer.add_attachment("a.exe", b"MZ")
    script = {"/S": NameObject("/JavaScript"), "/JS": TextStringObject("app.alert(1)")}
    writer._root_object[NameObject("/OpenAction")] = DictionaryObject(
        {NameObject(name): value for name, value in script.items()}
    )
    writer.write(tmp_path / "b.pdf")
    assert len(open_pdf(tmp_path / "b.pdf", tmp_path)) == 2


def test_files_that_cannot_be_shown_say_why(tmp_path: Path) -> None:
    many = deck(tmp_path / "many.pdf", pages=101)
    half = tmp_path / "half.pdf"
    half.write_bytes(many.read_bytes()[:2000])
    locked = PdfWriter(clone_from=many)
    locked.encrypt("secret", algorithm="RC4-128")
    locked.write(tmp_path / "locked.pdf")
    problems = {"many.pdf": "many_pages", "half.pdf": "not_pdf", "locked.pdf": "password"}
    for name, problem in problems.items():
        with pytest.raises(PdfRefused) as refused:
            open_pdf(tmp_path / name, tmp_path)
        assert refused.value.problem == problem


def test_a_slow_file_is_ended(tmp_path: Path) -> None:
    with pytest.raises(PdfRefused) as refused:
        open_pdf(deck(tmp_path / "a.pdf"), tmp_path, seconds=0.01)
    assert refused.value.problem == "slow"
