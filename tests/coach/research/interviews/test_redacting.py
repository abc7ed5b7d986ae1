"""Names are proposed, decided by a person, replaced by tokens, and then the text stands."""

from __future__ import annotations

import hashlib
from datetime import date, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from coach.accounts.models import User
from coach.research.coding.interviews.redaction.deciding import (
    decide,
    mark,
    mark_words,
    propose_redactions,
    refresh_proposals,
)
from coach.research.coding.interviews.redaction.locking import (
    delete_old_originals,
    delete_original,
    lock_interview,
)
from coach.research.coding.interviews.redaction.names import known_names
from coach.research.coding.interviews.redaction.patterns import (
    RULES_VERSION,
    KnownNames,
    proposals,
)
from coach.research.coding.interviews.redaction.span_replacement import OffsetMap, Replacement
from coach.research.coding.interviews.transcript_text import SpokenTurn, lay_text
from coach.research.coding.models import Coding, Interview, Redaction, Speaker, Text, Turn
from coach.research.studies.models import Study
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_round, make_study, take_part

TAKEN, LEFT = Redaction.State.APPROVED, Redaction.State.REJECTED


def found(text: str, known: KnownNames | None = None) -> list[tuple[str, str]]:
    places = proposals(text, known or KnownNames(), [(0, len(text))])
    return [(each.kind.value, text[each.start : each.end]) for each in places]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My name is Marie Dupont.", [("NAME", "Marie Dupont")]),
        ("Je m’appelle Élodie, j’habite à Nantes.", [("NAME", "Élodie"), ("PLACE", "Nantes")]),
        (
            "Call +33 6 12 34 56 78 or a.b@x.org",
            [("CONTACT", "+33 6 12 34 56 78"), ("CONTACT", "a.b@x.org")],
        ),
        ("See www.x.org, ask @marie_d.", [("CONTACT", "www.x.org,"), ("CONTACT", "@marie_d")]),
        (
            "Voir petite-boite.fr ou abc.co.uk/a.",
            [("CONTACT", "petite-boite.fr"), ("CONTACT", "abc.co.uk/a.")],
        ),
        ("It is so.be it, e.g. 3.5 or p.ex. fin.", [("CONTACT", "so.be")]),
        ("On 3 March 2024, le 1er avril.", [("DATE", "3 March 2024"), ("DATE", "1er avril")]),
        (
            "Tue, Nov 10, 2026; 3 janv. 2026, Sept 9th, le 4 déc.; 5 marks, 10 decks",
            [
                ("DATE", "Nov 10, 2026"),
                ("DATE", "3 janv. 2026"),
                ("DATE", "Sept 9th"),
                ("DATE", "4 déc."),
            ],
        ),
        ("(laughs) Well. [inaudible 00:21] So it went (rires). Voilà.", []),
        ("I told (and he laughs) Tom so.", [("NAME", "Tom")]),
        ("At 12 rue de la Paix", [("PLACE", "12 rue de la Paix")]),
        ("He was at the University of York.", [("ORG", "University of York")]),
        ("L’avis de Mme Durand compte.", [("NAME", "Mme Durand")]),
        (
            "I met Bootstrap people in San\nFrancisco.",
            [("NAME", "Bootstrap"), ("PLACE", "San"), ("NAME", "Francisco")],
        ),
        ("Then I said OK, I’m fine in English on Monday.", []),
        ("It is a talk. Pauses help 🎤 a lot; so do 12 breaths.", []),
        ("so q\u0303 Marie and 🎤 Tom!", [("NAME", "Marie"), ("NAME", "Tom")]),
        ("أتدرّب في باريس", []),
    ],
)
def test_what_may_name_somebody_is_proposed(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_known_names_are_found_in_any_case_and_across_a_line() -> None:
    known = KnownNames(whole=frozenset({"ana lópez"}), parts=frozenset({"Rose"}))
    assert found("so ANA\nLópez and Rose rose", known) == [("NAME", "ANA\nLópez"), ("NAME", "Rose")]


MARIE = KnownNames(whole=frozenset({"Marie", "marie@known.org"}), parts=frozenset({"Paul"}))


@pytest.mark.parametrize(
    "address",
    [
        "paul@exemple.fr",
        "marie@petite-boite.fr",
        "marie.dubois@laposte.net",
        "Marie.Dubois@laposte.net",
        "marie@known.org",
        "marie@known.org.uk",
        "www.marie-conseil.fr",
        "https://marie.example/paul?of=Paul",
        "marie-conseil.fr",
        "@marie",
    ],
)
def test_an_address_goes_before_a_name_inside_it(address: str) -> None:
    assert found(f"so {address} is it", MARIE) == [("CONTACT", address)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I saw Paul Durand there", ["Paul", "Durand"]),
        ("I saw Mme Marie Durand, she", ["Marie", "Durand"]),
        ("He came to Lyon Marie said", ["Lyon", "Marie"]),
        ("I told M. Marie so", ["Marie"]),
        ("well, @marie dubois", ["@marie"]),
    ],
)
def test_what_stands_beside_a_known_name_is_proposed_too(text: str, expected: list[str]) -> None:
    assert [words for _kind, words in found(text, MARIE)] == expected


def test_thousands_of_capitals_are_looked_through_in_no_time() -> None:
    assert len(found("x Ab " * 40_000)) == 40_000
    found("A" * 200_000 + " 1" * 100_000)
    # One word of them, with a beginning at each hyphen: it took minutes, and hours for a long text.
    text = "so " + "Aa-" * 60_000 + "Aa"
    assert found(text) == [("NAME", text[3:])]
    assert found("At the Anglo-Saxon Arts College") == [("ORG", "Anglo-Saxon Arts College")]


@settings(max_examples=60)
@given(st.data())
def test_positions_stay_with_their_words(data: st.DataObject) -> None:
    text = data.draw(st.text(min_size=1, max_size=40))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    moved = OffsetMap(
        text, [Replacement(start, end, "[NAME-1]") for start, end in pairs if end > start]
    )
    inside = {
        n for start, end in zip(cuts[::2], cuts[1::2], strict=False) for n in range(start, end)
    }
    for at in set(range(len(text))) - inside:
        assert moved.text[moved.start(at)] == text[at]
        assert moved.end(at + 1) == moved.start(at) + 1
    ends = [moved.end(at) for at in range(len(text) + 1)]
    assert ends == sorted(ends)
    assert moved.end(len(text)) == len(moved.text)


@pytest.fixture
def study(researcher: User) -> Study:
    return make_study(researcher)


@pytest.fixture
def text(study: Study) -> Text:
    """Of an interview with Ada, who names people."""
    interview = Interview.objects.create(
        study=study, number=1, mode="phone", language="en", held_on=date(2026, 3, 3)
    )
    asks = Speaker.objects.create(interview=interview, label="I", role="interviewer")
    ada = Speaker.objects.create(interview=interview, label="P", role="participant", called="Ada")
    words = [
        (asks, "Who helped you 🎤?"),
        (ada, "Well, Bea Marsh did, and Tom. I trust Bea Marsh."),
        (asks, "And where?"),
        (ada, "In Lyon, near Tom’s. The marsh again."),
    ]
    said = [
        SpokenTurn(speaker=speaker, words=each, start_ms=n)
        for n, (speaker, each) in enumerate(words)
    ]
    made = lay_text(interview, said, Text.Kind.RAW)
    propose_redactions(text=made)
    return made


def place(text: Text, words: str) -> Redaction:
    return next(e for e in text.redactions.all() if text.text[e.start : e.end] == words)


def take_out(text: Text, words: str, actor: User, **said: object) -> list[Redaction]:
    given = {"kind": "NAME", "same_as": "", "only_here": False, "state": TAKEN, **said}
    return decide(redaction=place(text, words), actor=actor, **given)  # type: ignore[arg-type]


def test_a_part_that_a_file_calls_somebody_by_is_not_looked_for(text: Text) -> None:
    speakers = text.interview.speakers
    speakers.filter(label="I").update(called="Moderator")
    speakers.filter(label="P").update(called="Participant Wonderling")
    known = known_names(text.interview.study)
    assert {"Moderator", "Participant"}.isdisjoint(known.whole | known.parts)
    assert "Participant Wonderling" in known.whole
    assert known.parts >= {"Wonderling"}


def test_the_same_name_gets_the_same_token_wherever_it_stands(text: Text, researcher: User) -> None:
    assert len(take_out(text, "Bea Marsh", researcher)) == 2
    assert {each.token for each in take_out(text, "Tom", researcher)} == {"[NAME-2]"}
    take_out(text, "Lyon", researcher, kind="PLACE")
    assert place(text, "Lyon").token == "[PLACE-1]"
    mark_words(text=text, words=["bea marsh"], kind="NAME", same_as="", actor=researcher)
    tokens = [e.token for e in text.redactions.filter(state=TAKEN)]
    assert tokens.count("[NAME-1]") == 2


def test_two_names_can_be_one_somebody_and_a_place_can_stand_by_itself(
    text: Text, researcher: User
) -> None:
    take_out(text, "Bea Marsh", researcher)
    take_out(text, "Tom", researcher, same_as="[NAME-1]")
    take_out(text, "Bea Marsh", researcher, state=LEFT, only_here=True)
    states = text.redactions.order_by("start").values_list("state", "token")
    assert (LEFT, "") in states
    assert list(states).count((TAKEN, "[NAME-1]")) == 2


def test_what_a_person_marks_swallows_what_it_overlaps(text: Text, researcher: User) -> None:
    start = text.text.index("Bea Marsh did")
    [row] = mark(
        text=text, spans=[(start - 1, start + 14)], kind="OTHER", same_as="", actor=researcher
    )
    assert text.text[row.start : row.end] == "Bea Marsh did,"
    assert row.token == "[OTHER-1]"
    across = (0, text.text.index("Well") + 4)
    with pytest.raises(ValidationError):
        mark(text=text, spans=[across], kind="OTHER", same_as="", actor=researcher)


def decide_all(text: Text, actor: User) -> None:
    while row := text.redactions.filter(state=Redaction.State.PROPOSED).first():
        decide(redaction=row, state=TAKEN, kind=row.kind, same_as="", only_here=False, actor=actor)


def test_nothing_is_locked_before_everything_is_decided(text: Text, researcher: User) -> None:
    with pytest.raises(ValidationError):
        lock_interview(interview=text.interview, actor=researcher)
    decide_all(text, researcher)
    locked = lock_interview(interview=text.interview, actor=researcher)
    assert locked.text == (
        "I: Who helped you 🎤?\nP: Well, [NAME-1] did, and [NAME-2]. I trust [NAME-1].\n"
        "I: And where?\nP: In [PLACE-1], near [PLACE-2]. The marsh again."
    )
    assert locked.sha256 == hashlib.sha256(locked.text.encode()).hexdigest()
    assert locked.n_code_points == len(locked.text)
    turns = [locked.text[turn.start : turn.end] for turn in locked.turns.all()]
    assert turns == locked.text.split("\n")
    assert [turn.start_ms for turn in locked.turns.all()] == [0, 1, 2, 3]
    assert Interview.objects.get().state == Interview.State.LOCKED


def test_taking_out_more_later_moves_codings_with_their_words(
    study: Study, text: Text, researcher: User
) -> None:
    decide_all(text, researcher)
    locked = lock_interview(interview=text.interview, actor=researcher)
    coding_round = make_round(study, "trust")
    coder = coding_round.coders.first()
    code = study.codes.get()
    for quote in ("I trust [NAME-1]", "marsh again", "again", "helped you 🎤"):
        start = locked.text.index(quote)
        Coding.objects.create(
            study=study,
            round=coding_round,
            coder=coder,
            code=code,
            text=locked,
            start=start,
            end=start + len(quote),
        )
    mark_words(text=locked, words=["marsh"], kind="NAME", same_as="[NAME-4]", actor=researcher)
    mark_words(text=locked, words=["helped"], kind="OTHER", same_as="", actor=researcher)
    again = lock_interview(interview=text.interview, actor=researcher)
    assert (again.pk, again.version) == (locked.pk, 2)
    quotes = {again.text[c.start : c.end] for c in Coding.objects.all()}
    assert quotes == {"I trust [NAME-1]", "[NAME-4] again", "again", "[OTHER-1] you 🎤"}
    assert "marsh" not in again.text
    assert not again.redactions.exists()


def test_the_original_goes_at_its_time_or_at_once_and_never_before_the_lock(
    text: Text, researcher: User
) -> None:
    interview = text.interview
    assert not delete_original(interview=interview, actor=researcher)
    decide_all(text, researcher)
    lock_interview(interview=interview, actor=researcher)
    assert delete_old_originals() == 0
    Interview.objects.update(original_until=timezone.now() - timedelta(days=1))
    assert delete_old_originals() == 1
    assert list(interview.texts.values_list("kind", flat=True)) == [Text.Kind.LOCKED]
    assert not interview.speakers.exclude(called="").exists()


def test_what_a_person_decided_stays_where_the_rules_of_today_look_again(
    study: Study, text: Text, researcher: User
) -> None:
    words = "paul@exemple.fr, leo@exemple.fr and marie@exemple.fr"
    text.text = text.text.replace("The marsh again.", words)
    Turn.objects.filter(text=text, number=4).update(end=len(text.text))
    for name, state in (("paul", TAKEN), ("leo", LEFT), ("marie", Redaction.State.PROPOSED)):
        start, token = text.text.index(f"{name}@"), "[NAME-9]" if state == TAKEN else ""
        Redaction.objects.create(
            text=text,
            start=start,
            end=start + len(name),
            kind="NAME",
            state=state,
            token=token,
            found_by="known",
        )
    text.redaction_version = "1"
    text.save()
    assert refresh_proposals(text=text) > 0
    assert refresh_proposals(text=text) == 0
    rows = {text.text[e.start : e.end]: e.state for e in text.redactions.all()}
    assert rows["paul"] == TAKEN
    assert rows["leo"] == LEFT
    assert "marie" not in rows
    assert rows["marie@exemple.fr"] == Redaction.State.PROPOSED
    decide_all(text, researcher)
    locked = lock_interview(interview=text.interview, actor=researcher)
    assert locked.text.endswith("[NAME-9][CONTACT-1], leo[CONTACT-1] and [CONTACT-2]")
    assert locked.redaction_version == RULES_VERSION


def test_the_rest_of_an_address_that_was_torn_before_is_proposed_in_a_locked_text(
    text: Text, researcher: User
) -> None:
    decide_all(text, researcher)
    locked = lock_interview(interview=text.interview, actor=researcher)
    torn = "[NAME-1]@exemple.fr, Zoe, www.[NAME-1]-conseil.fr"
    words = locked.text.replace("The marsh again.", torn)
    Text.objects.filter(pk=locked.pk).update(text=words, redaction_version="1")
    Turn.objects.filter(text=locked, number=4).update(end=len(words))
    with pytest.raises(ValidationError):
        lock_interview(interview=text.interview, actor=researcher)
    locked.refresh_from_db()
    assert refresh_proposals(text=locked) == 3
    assert {words[e.start : e.end] for e in locked.redactions.all()} == {
        "@exemple.fr",
        "www.",
        "-conseil.fr",
    }
    decide_all(locked, researcher)
    again = lock_interview(interview=text.interview, actor=researcher)
    assert "exemple" not in again.text
    assert "conseil" not in again.text
    assert refresh_proposals(text=again) == 0


def test_names_of_the_study_and_of_the_site_are_looked_for(study: Study, text: Text) -> None:
    take_part(study, UserFactory(name="Zoë Hartmann"))
    UserFactory(name="helped you")
    Redaction.objects.all().delete()
    text.text = text.text.replace("Lyon", "hartmann, Zoë and so on")
    text.turns.filter(number=4).update(end=len(text.text))
    propose_redactions(text=text)
    known = text.redactions.filter(found_by="known")
    assert {text.text[e.start : e.end] for e in known} == {"helped you", "Zoë"}


def test_what_was_settled_survives_another_lock_and_the_same_press_makes_no_version(
    study: Study, text: Text, researcher: User
) -> None:
    decide_all(text, researcher)
    locked = lock_interview(interview=text.interview, actor=researcher)
    coding_round = make_round(study, "trust")
    for status in (Coding.Status.INDEPENDENT, Coding.Status.ADJUDICATED):
        Coding.objects.create(
            study=study,
            round=coding_round,
            coder=coding_round.coders.first(),
            code=study.codes.get(),
            text=locked,
            start=0,
            end=5,
            status=status,
        )
    assert lock_interview(interview=text.interview, actor=researcher).version == 1
    mark_words(text=locked, words=["marsh"], kind="NAME", same_as="[NAME-4]", actor=researcher)
    assert lock_interview(interview=text.interview, actor=researcher).version == 2
    assert Coding.objects.count() == 2
