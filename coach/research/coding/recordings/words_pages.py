"""Content of the page for assigning and correcting passages while the recording plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from time import time_ns
from typing import Any

from django.http import HttpRequest

from coach.lib.pages.paging import page_of
from coach.lib.words.clock import clock
from coach.lib.words.measure_words import language_words
from coach.research.coding.interviews.pages import length_words, people_words
from coach.research.coding.models import Passage, Recording
from coach.research.coding.recordings.forms import AgainForm, TakeInForm, VoiceForm
from coach.research.coding.recordings.pages import voice_rows
from coach.research.coding.recordings.passages import UNREAD, UNSURE, mark_of, text_of

PAGE_SIZE = 120


def words_page(
    request: HttpRequest, recording: Recording, form: TakeInForm | None = None
) -> dict[str, Any]:
    """Return the passages with their voices, and the number without one."""
    rows = recording.passages.select_related("voice").order_by("position", "pk")
    shown, paging = page_of(request, rows, size=PAGE_SIZE)
    heard, first = recording.problem.get("heard", ""), first_of(recording)
    return {
        "recording": recording,
        "study": recording.study,
        "people": people_words(recording),
        "length": length_words(recording),
        "voices": voice_rows(recording),
        "rows": [passage_row(each) | {"is_first": each.pk == first} for each in shown],
        "paging": paging,
        "page_query": page_query(request),
        **count_page(recording),
        "has_unread": recording.passages.filter(words__0__0=UNREAD).exists(),
        "heard": language_words(heard),
        "language_words": language_words(recording.language),
        "form": form or TakeInForm(initial={"language": recording.language}),
        "voice_form": VoiceForm(),
        "again_form": AgainForm(auto_id="again_%s", initial={"language": recording.language}),
        "listenings": recording.listenings.select_related("by")[:10],
    }


def rewrite_row(passage: Passage, typed: str | None = None, seen: str = "") -> dict[str, Any]:
    """Return a passage for editing, with its words or the text typed so far."""
    return passage_row(passage) | {
        "is_open": True,
        "text": text_of(passage) if typed is None else typed,
        "seen": seen or mark_of(passage),
    }


def with_what_is_typed(page: dict[str, Any], said: Mapping[str, str]) -> dict[str, Any]:
    """Return the current page, with the open fields and the text typed into them.

    Text typed for a passage that no longer exists is returned as plain words.
    """
    left = {name: text for name, text in said.items() if name.startswith("text_")}
    rows = []
    for row in page["rows"]:
        one = row["passage"]
        text = left.pop(f"text_{one.pk}", None)
        seen = said.get(f"seen_{one.pk}", "")
        rows.append(row if text is None else rewrite_row(one, text, seen))
    return page | {"rows": rows, "given_back": [text for text in left.values() if text.strip()]}


def page_query(request: HttpRequest) -> str:
    """Return the page number for links back to the current page."""
    page = request.GET.get("page", "")
    return f"?page={page}" if page.isascii() and page.isdecimal() and len(page) < 7 else ""


def count_page(recording: Recording) -> dict[str, Any]:
    """Return the number of passages and the first without a voice, with a time stamp in
    nanoseconds.
    """
    as_of = time_ns()  # before it is counted: what is counted later is at least as new
    nobodys = recording.passages.filter(voice=None)
    first = nobodys.values_list("position", flat=True).first()
    before = recording.passages.filter(position__lt=first).count() if first is not None else 0
    return {
        "n_passages": recording.passages.count(),
        "n_nobodys": nobodys.count(),
        "first_page": before // PAGE_SIZE + 1,
        "as_of": as_of,
    }


def first_of(recording: Recording) -> int | None:
    """Return the key of the first passage; None if there is none."""
    return recording.passages.values_list("pk", flat=True).first()


def passage_row(passage: Passage) -> dict[str, Any]:
    """Return a passage with its uncertain words marked."""
    return {
        "passage": passage,
        "at": clock(passage.start_ms / 1000),
        "from": passage.start_ms / 1000,
        "until": passage.end_ms / 1000,
        "pieces": _pieces(passage.words),
    }


def _pieces(words: Iterable[list[Any]]) -> list[dict[str, Any]]:
    """Return neighbouring words of equal certainty as one piece."""
    return [
        {"words": " ".join(word[0] for word in some), "is_unsure": is_unsure}
        for is_unsure, some in groupby(words, key=lambda word: word[3] < UNSURE)
    ]
