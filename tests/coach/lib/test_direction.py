"""Names from right to left, and marks that turn round what stands next to a name."""

from __future__ import annotations

import pytest

from coach.accounts.models import User
from coach.feedback.forms import TalkForm
from coach.lib.words.direction import isolated, without_turns
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.models import Upload
from coach.uploads.services import admit_upload

TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
ARABIC, HEBREW = "\u0639\u0631\u0636", "\u05d4\u05e8\u05e6\u05d0\u05d4"


@pytest.mark.parametrize("mark", TURNS)
def test_no_mark_that_turns_others_round_is_kept_in_a_name(mark: str) -> None:
    assert without_turns(f"talk{mark}gpj.wav") == "talkgpj.wav"


@pytest.mark.parametrize(
    "name", ["talk.wav", f"{ARABIC} 1.wav", f"{HEBREW}.mp4", "h\u00e9 \u6708\u66dc"]
)
def test_letters_of_every_language_stay(name: str) -> None:
    assert without_turns(name) == name


@pytest.mark.parametrize("name", [f"{ARABIC}.wav", f"my {HEBREW}"])
def test_a_name_from_right_to_left_is_isolated_in_a_sentence(name: str) -> None:
    assert isolated(name) == f"\u2068{name}\u2069"
    assert within_quotes(name) == f"\u2068{name}\u2069"


def test_other_names_are_as_they_were() -> None:
    assert (isolated("talk.wav"), within_quotes("talk.wav")) == ("talk.wav", "talk.wav")


def test_a_file_and_a_talk_are_kept_without_them(trainee: User) -> None:
    upload = admit_upload(Upload(owner=trainee, name="talk\u202egpj.wav", expected_bytes=9))
    assert upload.name == "talkgpj.wav"
    form = TalkForm({"title": "My\u202e talk", "aim": "inform", "audience": "public"})
    form.is_valid()
    assert form.cleaned_data["title"] == "My talk"
