"""Transcripts of every kind to lines and turns: nothing is lost, and what is odd is told."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

from coach.research.coding.interviews.guides import likely_question, questions_in
from coach.research.coding.interviews.reading import NotATranscript, ParsedFile, read_file, turns_in
from tests.coach.research.interviews.files import (
    PLAIN,
    SRT,
    VTT,
    body,
    docx,
    odt,
    otr,
    pdf,
    rtf,
    run,
)


def said(read: ParsedFile, **known: list[str]) -> list[tuple[str, str]]:
    turns, _odd = turns_in(read, **known)
    return [(turn.speaker, turn.words) for turn in turns]


def codes(read: ParsedFile) -> set[str]:
    return {each.code for each in turns_in(read)[1]}


def test_names_before_a_colon_make_turns_and_paragraphs_stay_in_them() -> None:
    read = read_file("a.txt", PLAIN.encode())
    assert said(read) == [
        ("", "Interview of 3 March"),
        ("Interviewer", "How do you prepare?"),
        ("Marie", "I read it aloud 🎤.\nThen I sleep."),
        ("Interviewer", "And then?"),
        ("Marie", "One thing: I breathe."),
    ]
    assert codes(read) == {"nobody_named"}


def test_a_colon_after_other_words_is_told_and_a_person_may_say_that_it_is_a_name() -> None:
    read = read_file("a.txt", b"I: Why?\nthe second one: fine\nI: Good.\nTom: Yes.\n")
    turns, odd = turns_in(read)
    assert [turn.speaker for turn in turns] == ["I", "I"]
    assert {(each.code, each.what) for each in odd} == {
        ("maybe_a_name", "the second one"),
        ("maybe_a_name", "Tom"),
    }
    assert said(read, also=["Tom"])[-1] == ("Tom", "Yes.")
    assert said(read, never=["I"])[0] == ("", "I: Why?")


def test_times_before_and_after_what_is_said_are_kept() -> None:
    text = "[00:01:02] I: Why?\nMax: Well. #00:01:09-5#\nOtter Name  1:15\nand so on\n"
    turns, _odd = turns_in(read_file("a.txt", text.encode()), also=["Max"])
    times = [(each.speaker, each.words, each.start_ms, each.end_ms) for each in turns]
    assert times == [
        ("I", "Why?", 62_000, None),
        ("Max", "Well.", None, 69_500),
        ("Otter Name", "and so on", 75_000, None),
    ]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_letters_come_through_however_they_are_written(encoding: str) -> None:
    text = "Élève : déjà à l’été\r\nÉlève : cœur"
    read = read_file("a.txt", text.encode(encoding))
    assert said(read) == [("Élève", "déjà à l’été"), ("Élève", "cœur")]
    assert ("guessed_encoding" in codes(read)) is (encoding == "cp1252")


def test_what_neither_database_nor_xml_can_hold_is_taken_out() -> None:
    read = read_file("a.txt", "I: a\x00b\x1bc e\u0301\nI: next\u2028line".encode())
    assert said(read) == [("I", "abc é"), ("I", "next\nline")]


def test_a_mark_that_somebody_else_begins_ends_a_turn_with_a_name_or_without() -> None:
    """Services write `>>` or a dash: else an answer stood in the turn of who asked."""
    cues = (
        "1\n00:00:00,000 --> 00:00:03,000\n<i>INTERVIEWER:</i> What of the cards?\n\n"
        "2\n00:00:03,100 --> 00:00:06,000\n- Tom: The first was right.\n- For whom?\n\n"
        "3\n00:00:06,100 --> 00:00:09,000\n>> INTERVIEWER: And you?\n- he laughs\n\n"
        "4\n00:00:09,100 --> 00:00:12,000\n&gt;&gt; TOM: My coach threw it out.\n\n"
        "5\n00:00:12,100 --> 00:00:14,000\n>>> Tom: I see.\n"
    )
    assert said(read_file("a.srt", cues.encode())) == [
        ("INTERVIEWER", "What of the cards?"),
        ("Tom", "The first was right."),
        ("", "For whom?"),
        ("INTERVIEWER", "And you? - he laughs"),
        ("TOM", "My coach threw it out."),
        ("Tom", "I see."),
    ]
    text = "[00:01] >> I: Why?\n>> [00:04] P: So.\n>> Not me.\n"
    turns, odd = turns_in(read_file("a.txt", text.encode()))
    assert [(turn.speaker, turn.words, turn.start_ms) for turn in turns] == [
        ("I", "Why?", 1000),
        ("P", "So.", 4000),
        ("", "Not me.", None),
    ]
    assert [each.code for each in odd] == ["nobody_named"]


def test_captions_are_one_turn_a_voice_and_what_is_no_caption_is_told() -> None:
    read = read_file("a.vtt", VTT.encode())
    turns, odd = turns_in(read)
    assert [(t.speaker, t.words, t.start_ms, t.end_ms) for t in turns] == [
        ("Interviewer", "How was it & why?", 1000, 3000),
        ("Marie", "I like pauses. They help.", 3500, 7250),
    ]
    assert [(each.number, each.code) for each in odd] == [(15, "no_caption")]


def test_captions_that_end_before_they_begin_are_told() -> None:
    read = read_file("a.srt", SRT.encode())
    assert said(read) == [("Marie", "Bonjour à tous. Une pause.")]
    assert "ends_early" in codes(read)


def test_times_that_no_conversation_has_are_left_out_and_told() -> None:
    text = (
        "1\n597:00:00,000 --> 999:00:00,000\nMarie: one\n\n2\n00:00:02,500 --> 00:00:03,000\ntwo\n"
    )
    read = read_file("a.srt", text.encode())
    assert "too_late" in codes(read)
    assert [(line.start_ms, line.end_ms) for line in read.lines] == [(None, None), (2500, 3000)]


def test_captions_of_nobody_are_turns_where_there_is_a_silence() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\none\n\n2\n00:00:02,500 --> 00:00:03,000\ntwo\n\n"
    text += "3\n00:00:09,000 --> 00:00:10,000\nthree\n"
    assert said(read_file("a.srt", text.encode())) == [("", "one two"), ("", "three")]


def test_a_word_document_gives_tables_insertions_and_no_deletions() -> None:
    xml = body(
        run("Interviewer: How"),
        f"<w:ins>{run('Marie: Well')}</w:ins><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>",
        run("Interviewer: And?"),
    ).replace(
        "</w:body>",
        f"<w:tbl><w:tr><w:tc><w:p>{run('Marie: In a table')}</w:p></w:tc></w:tr></w:tbl></w:body>",
    )
    read = read_file("a.docx", docx(xml, footnotes="<x/>"))
    assert said(read)[1] == ("Marie", "Well")
    assert said(read)[3] == ("Marie", "In a table")
    assert "left_out" in codes(read)


def test_an_opendocument_text_gives_tables_insertions_and_no_deletions() -> None:
    content = odt(
        "<text:tracked-changes><text:p>Marie: gone</text:p></text:tracked-changes>",
        "Interviewer: How<text:s text:c='2'/><text:span>was</text:span> it?<text:note>"
        "<text:p>A note.</text:p></text:note>",
        "Marie: Well<text:line-break/>done.",
        "Interviewer: And?",
        "<text:list><text:list-item><text:p>Marie: In a list</text:p></text:list-item></text:list>",
    )
    read = read_file("a.odt", content)
    assert said(read) == [
        ("Interviewer", "How  was it?"),
        ("Marie", "Well\ndone."),
        ("Interviewer", "And?"),
        ("Marie", "In a list"),
    ]
    assert "left_out" in codes(read)


def test_rich_text_gives_accents_and_the_words_of_links() -> None:
    link = r'{\field{\*\fldinst{HYPERLINK "https://example.org"}}{\fldrslt my page}}'
    content = rtf("I: How?", r"Marie: D\'e9j\'e0, it\u8217?s on " + link, "I: And?", "Marie: So.")
    read = read_file("a.rtf", content)
    assert said(read)[1] == ("Marie", "Déjà, it’s on my page")
    assert len(said(read)) == 4


def test_lines_of_a_pdf_are_put_together_to_turns_without_page_numbers() -> None:
    long = (
        "I rehearse it aloud, then I sleep, and in the morning I say the first sentence again. " * 3
    )
    turns = [
        ("I", "How do you prepare?"),
        ("Marie", long.strip()),
        ("I", "And then?"),
        ("Marie", "So."),
    ]
    read = read_file("a.pdf", pdf(*(f"{who}: {words}" for who, words in turns * 12)))
    assert said(read) == turns * 12
    assert "joined_lines" in codes(read)


def test_otranscribe_gives_words_and_times() -> None:
    turns, _odd = turns_in(read_file("a.otr", otr()), also=["Marie"])
    assert [(t.speaker, t.words, t.start_ms) for t in turns] == [
        ("Interviewer", "How was it?", 1500),
        ("Marie", "Good & calm.", 4000),
    ]


def test_what_was_pasted_into_otranscribe_is_read_like_a_page() -> None:
    page = (
        "<DIV>I: one <b title='a > b'>bold</b> &lt;word&gt;<br/>I: 3 < 4"
        "<!--[if x]><p>x</p><![endif]--> and 5</DIV><?x?>"
        "<p>I: <SPAN data-timestamp='2' class='timestamp on'>0:02</SPAN>two</p>I: end"
    )
    turns, _odd = turns_in(read_file("a.otr", json.dumps({"text": page}).encode()))
    assert [(turn.words, turn.start_ms) for turn in turns] == [
        ("one bold <word>", None),
        ("3 < 4 and 5", None),
        ("two", None),
        ("end", None),
    ]


def test_hostile_rich_text_is_read_in_no_time() -> None:
    for piece in (r"{\field{\*\fldinst{HYPERLINK ", "{", r"\u-", r"\'", r"\pict\bin9 ", "}"):
        with suppress(NotATranscript):
            read_file("a.rtf", b"{\\rtf1 I: x " + piece.encode() * 20_000)


def test_letters_that_are_newer_than_this_python_stay() -> None:
    assert said(read_file("a.txt", "I: so \U0001fae9 \ufffe\ufeff!".encode())) == [
        ("I", "so \U0001fae9 !")
    ]


DEEP = body("<w:x>" * 5000 + run("a") + "</w:x>" * 5000)
ENTITY = '<!DOCTYPE x [<!ENTITY a "aaaa">]>' + body(run("&a;"))


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.exe", b"x", "unknown_kind"),
        ("a.txt", b"", "empty"),
        ("a.txt", b"PK\x03\x04 a zip", "no_text"),
        ("a.txt", b"x" * (4 * 1024**2 + 1), "too_large"),
        ("a.docx", b"\xd0\xcf\x11\xe0 old", "old_word"),
        ("a.docx", b"no zip", "no_docx"),
        ("a.docx", docx(ENTITY), "no_docx"),
        ("a.docx", docx("<w:broken"), "no_docx"),
        ("a.docx", docx(DEEP), "no_docx"),
        ("a.docx", docx(" " * (40 * 1024**2 + 1)), "too_large"),
        ("a.docx", docx(body("<w:x/>" * 1_000_000, run("a"))), "too_large"),
        ("a.docx", docx(body(run("a" + "</w:t><w:br/><w:t>a" * 50_000))), "too_large"),
        ("a.odt", b"no zip", "no_odt"),
        ("a.odt", docx(body(run("a"))), "no_odt"),
        ("a.odt", odt("<text:broken"), "no_odt"),
        ("a.rtf", b"no rtf", "no_rtf"),
        ("a.rtf", rtf(r"I: a {\deleted b}"), "rtf_changes"),
        ("a.pdf", b"no pdf", "no_pdf"),
        ("a.pdf", b"%PDF-1.7 broken", "no_pdf"),
        ("a.pdf", pdf(""), "scanned_pdf"),
        ("a.vtt", b"WEBVTT\n\nno caption", "no_captions"),
        ("a.otr", b"[1]", "no_otr"),
        ("a.otr", b'{"text": 3}', "no_otr"),
    ],
)
def test_what_is_no_transcript_is_refused(name: str, content: bytes, code: str) -> None:
    with pytest.raises(NotATranscript) as refused:
        read_file(name, content)
    assert refused.value.code == code


def test_long_lines_of_anything_are_read_in_no_time() -> None:
    for line in ("a " * 200_000, "A" * 400_000, "<" * 400_000, ": " * 200_000, "1:11 " * 80_000):
        turns_in(read_file("a.txt", f"I: x\n{line}\n".encode()))
        turns_in(read_file("a.vtt", f"00:01.000 --> 00:02.000\n{line}\n".encode()))
    for mark in ("<v.", "<v ", "<a ", "<a b='", "<!-- x>", "<span class=timestamp> "):
        line = f"I: x {mark * 100_000}"
        assert said(read_file("a.vtt", f"00:01.000 --> 00:02.000\n{line}\n".encode()))
        assert said(read_file("a.otr", json.dumps({"text": line}).encode()))[0][0] == "I"
    for name in ("I: x", "A" * 59, "Anna B", "I: x #00:00:01-1"):
        heard, _odd = turns_in(read_file("a.txt", f"{name}{' ' * 400_000}y\n".encode()))
        assert heard[0].words.endswith("y")


def test_a_guide_of_empty_lines_is_read_in_no_time() -> None:
    text = "\n" * 200_000 + "  1. How do you prepare?\n\t2)  And then? \n1. Again?"
    assert questions_in(text) == {1: "How do you prepare?", 2: "And then?"}


def test_the_question_that_is_most_like_is_found_among_many_in_no_time() -> None:
    questions = {number: f"How do you prepare a talk of {number} minutes?" for number in range(900)}
    questions |= {900: "a" * 40_000, 901: "What was the first one like?"}
    for _turn in range(30):
        assert likely_question("Let us go on, if that is all right with you.", questions) is None
    assert likely_question("And what was the first one like?", questions) == 901
    assert likely_question("How do you prepare a talk of 7 minutes?", questions) == 7
