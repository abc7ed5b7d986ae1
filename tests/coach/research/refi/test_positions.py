"""Codings lie on their words, however a tool counts its letters."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.research.coding.interviews.reading.encodings import tidy
from coach.research.coding.models import (
    Text,
)
from coach.research.exports.importing.refi import load_refi
from coach.research.exports.importing.refi.positions import NormalisedText
from coach.research.studies.models import Study
from tests.coach.research.refi.making import (
    CODE,
    PLAIN,
    WORDS,
    pack,
    project,
    quotes,
    selection,
)


def place(text: str, quote: str, unit: str) -> tuple[int, int]:
    """Where a quote lies, as a tool counts that reads the file with its line ends or without."""
    before = text[: text.index(quote)]
    if unit == "utf-16":
        return len(before.encode("utf-16-le")) // 2, len((before + quote).encode("utf-16-le")) // 2
    if unit == "bytes":
        return len(before.encode()), len((before + quote).encode())
    return len(before), len(before + quote)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize(
    ("counted", "unit"),
    [(WORDS, "code points"), (PLAIN, "code points"), (WORDS, "utf-16"), (WORDS, "bytes")],
)
def test_codings_lie_on_their_words_however_a_tool_counts(
    study: Study, tmp_path: Path, encoding: str, counted: str, unit: str
) -> None:
    start, end = place(counted, "pauses 👩🏽‍🏫", unit)
    path = pack(
        tmp_path,
        project(selection(start, end, "pauses 👩🏽‍🏫")),
        sources__t_txt=WORDS.encode(encoding),
    )
    counts, _told = load_refi(study=study, path=path)
    assert quotes() == ["pauses 👩🏽‍🏫"]
    assert Text.objects.get().text == PLAIN
    assert counts["codings"] == counts["codings_in_file"] == 1


def test_without_a_quote_a_position_behind_the_end_tells_how_a_tool_counts(
    study: Study, tmp_path: Path
) -> None:
    words = "🎤🎤🎤 end"
    start, end = place(words, "end", "utf-16")
    path = pack(tmp_path, project(selection(start, end)), sources__t_txt=words.encode())
    _counts, told = load_refi(study=study, path=path)
    assert quotes() == ["end"]
    assert ["refi_counted", "INT-01", "UTF-16"] in told


def test_letters_that_become_one_keep_their_codings(study: Study, tmp_path: Path) -> None:
    words = "cafe\u0301 noir"
    path = pack(tmp_path, project(selection(6, 10)), Sources__T_TXT=words.encode())
    load_refi(study=study, path=path)
    assert quotes() == ["noir"]
    assert Text.objects.get().text == "café noir"


@given(st.text("eé\u0301\u0323\r\n\x00ᄒ\u1161\u11ab 가a", max_size=40))
def test_places_inside_of_letters_that_become_one_are_those_of_the_text_before_them(
    raw: str,
) -> None:
    tidied = NormalisedText(raw, range(len(raw) + 1))
    assert tidied.text == tidy(raw)
    at = [tidied.place(place) for place in range(len(raw) + 1)]
    before = [min(len(tidy(raw[:place])), len(tidied.text)) for place in range(len(raw) + 1)]
    pieces = "".join(tidy(letter) for letter in raw)
    assert at == before or pieces == tidied.text


def test_a_hundred_thousand_accents_are_put_in_order_at_once() -> None:
    text = "a" + "\u0301\u0323" * 100_000
    found = tidy(text)
    assert found.replace("\u034f", "") != text
    assert len(found) >= len(text)
    assert found == tidy(found)
    with pytest.raises(ValueError, match="2500"):
        NormalisedText(text, [900, 2500])


def test_a_selection_that_does_not_say_where_it_ends_is_not_of_the_whole_text(
    study: Study, tmp_path: Path
) -> None:
    """A point may have a time alone; a selection, only one point."""
    coding = f'<Coding guid="{{}}"><CodeRef targetGUID="{CODE}"/></Coding></TranscriptSelection>'
    media = (
        '<Sources><AudioSource guid="m" name="sound"><Transcript guid="tr">'
        "<PlainTextContent>One two three.</PlainTextContent>"
        '<SyncPoint guid="s1" position="4" timeStamp="1"/><SyncPoint guid="s2" timeStamp="2"/>'
        '<TranscriptSelection guid="y" fromSyncPoint="s1" toSyncPoint="s2">'
        f'{coding.format("c")}<TranscriptSelection guid="z" fromSyncPoint="s1">'
        f"{coding.format('d')}</Transcript></AudioSource>"
    )
    path = pack(tmp_path, project().replace("<Sources>", media, 1))
    _counts, told = load_refi(study=study, path=path)
    assert quotes() == []
    assert ("refi_outside", "2") in {(code, what) for code, _place, what in told}


@pytest.mark.parametrize(
    ("words", "turns"),
    [
        ("\n\nOne.\n\nTwo.\n", ["\n\nOne.\n", "Two.\n"]),
        (
            "Title\nI: So?\nP: Yes.\n\nAnd.\nI: Fine.",
            ["Title", "I: So?", "P: Yes.\n\nAnd.", "I: Fine."],
        ),
        ("\n \n", []),
    ],
)
def test_turns_leave_nothing_out_so_that_every_coding_begins_in_one(
    study: Study, tmp_path: Path, words: str, turns: list[str]
) -> None:
    load_refi(study=study, path=pack(tmp_path, project(), sources__t_txt=words.encode()))
    text = Text.objects.get()
    assert [text.text[each.start : each.end] for each in text.turns.all()] == turns
