"""Codes and values become sentences in one place: each code has one, and says all it is given."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis import errors
from analysis.marks import gettext_noop
from analysis.results import Note, Reason, Report, Skipped, load_report
from analysis.sentences import CODES, ENGLISH, PHRASES, SENTENCES, placeholders, say
from analysis.sentences.say import KINDS
from tests.coach.factories import make_report

SOURCES = [
    path for path in Path("analysis").rglob("*.py") if not path.is_relative_to("analysis/sentences")
]
ERRORS = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and name[0].isupper()
}
SAMPLES: dict[str, float | int | str] = {"language": "de", "clock": 75.0, "": "words"}


def _calls() -> Iterator[tuple[Path, ast.Call]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield path, node


def _said() -> Iterator[tuple[str, str, set[str] | None]]:
    """Where, which code, and the names of its values where they are all written out."""
    for path, call in _calls():
        name = ast.unparse(call.func)
        place = {"Skipped.because": 1, "Note.of": 0, "seldom_seen": 2}.get(
            name, 0 if name in ERRORS else -1
        )
        if not 0 <= place < len(call.args):
            continue
        code = call.args[place]
        if not isinstance(code, ast.Constant):
            continue
        names = {word.arg for word in call.keywords}
        known = None if None in names or name == "seldom_seen" else {str(each) for each in names}
        yield f"{path}:{call.lineno}", str(code.value), known


def test_every_code_that_is_said_has_a_sentence_which_says_all_its_values() -> None:
    found = list(_said())
    assert len(found) > 70
    for where, code, names in found:
        assert code in SENTENCES, where
        if names is not None:
            assert names == set(placeholders(SENTENCES[code])), where


def test_nobody_writes_a_sentence_where_it_would_be_lost() -> None:
    for path, call in _calls():
        if ast.unparse(call.func) in {"Skipped", "Note"}:
            assert "detail" not in {word.arg for word in call.keywords}, f"{path}:{call.lineno}"


def test_every_sentence_is_said_somewhere() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    built = {
        f"{half}_{what}"
        for half in ("sound", "picture")
        for what in ("encrypted", "undecodable", "missing")
    }
    unsaid = {code for code in SENTENCES if f'"{code}"' not in text} - built
    # Said by the workers of the site, and by reports of the first version.
    assert unsaid == {"gave_up"}
    assert len(CODES) == len(set(CODES)) == len(SENTENCES)


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_is_whole(code: str) -> None:
    sentence = SENTENCES[code]
    kinds = placeholders(sentence)
    values = {
        name: SAMPLES.get(kind) or next(iter(PHRASES[kind])) if kind in KINDS or not kind else 12
        for name, kind in kinds.items()
    }
    said = say(code, values)
    assert said
    assert "{" not in said
    if code != "in_words":
        assert said[-1] in ".!" or code == "model_in_no_wheel" or "pip gave" in said


def test_phrases_stand_in_sentences_and_sentences_name_known_phrases() -> None:
    kinds = {kind for each in SENTENCES.values() for kind in placeholders(each).values()}
    assert {kind for kind in kinds if kind.isalpha()} - {"d"} == KINDS
    for path, call in _calls():
        for word in call.keywords:
            if word.arg == "what" and isinstance(word.value, ast.Constant):
                assert word.value.value in PHRASES["measure"], path


def test_what_another_version_says_is_passed_over() -> None:
    assert say("of_the_year_2040", {"flux": 3}) == ""
    assert say("speech_short", {"heard": 9}) == ""
    assert gettext_noop("as it is") == "as it is"


def test_a_note_keeps_the_digits_that_mean_something() -> None:
    note = Note.of("face_seldom", seen=1 / 3, base="speech", needed=0.6)
    assert note.values["seen"] == 0.33333
    assert note.detail.startswith("Your face was found for 33% of the time you speak; 60% are")
    assert Note.of("sounds_like_unsupported", chosen="en", heard="xx").detail.startswith(
        "You chose English, but the recording sounds like another language (xx)."
    )


def test_the_document_holds_codes_and_only_the_printed_one_the_sentences_beside_them() -> None:
    skipped = Skipped.because(Reason.TOO_SHORT, "few_words", count=7, needed=50)
    report = make_report().model_copy(update={"skipped": {"wording.hedge_rate": skipped}})
    stored = json.loads(report.as_json())["skipped"]["wording.hedge_rate"]
    assert stored == {"code": "few_words", "values": {"count": 7, "needed": 50}} | {
        "reason": "too_short"
    }
    printed = json.loads(report.as_json(reader=ENGLISH))["skipped"]["wording.hedge_rate"]
    assert printed == stored | {"detail": skipped.detail}
    assert load_report(report.as_json(reader=ENGLISH)) == report


def test_a_report_of_the_first_version_says_what_it_said() -> None:
    zero = {"source": "usual", "yaw": 0, "pitch": 0, "yaw_spread": 2, "pitch_spread": 4, "n": 0}
    former = json.loads(make_report().as_json()) | {
        "schema_version": 1,
        "skipped": {
            "gaze.away_rate": {"reason": "no_face", "detail": "No face was found."},
            "head.nod_rate": {"reason": "no_face"},
        },
        "gaze_zero": zero | {"note": "You looked away."},
    }
    former["media"]["notes"] = ["Damaged pieces that were passed over: 3."]
    report = load_report(json.dumps(former))
    assert report.schema_version == 2
    assert report.media.notes[0].detail == "Damaged pieces that were passed over: 3."
    assert report.skipped["gaze.away_rate"].detail == "No face was found."
    assert report.skipped["head.nod_rate"].reason is Reason.NO_FACE
    assert report.gaze_zero is not None
    assert report.gaze_zero.note is not None
    assert report.gaze_zero.note.detail == "You looked away."
    again = Report.model_validate_json(report.as_json())
    assert again == report
    assert load_report(json.dumps(former | {"gaze_zero": zero | {"note": ""}})).gaze_zero
