"""A round as two coders live it: opened, coded unseen, closed."""

from __future__ import annotations

from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse

from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.portal.own_data import own_data
from coach.research.coding.codebook.versions import keep_version
from coach.research.coding.marking.offsets import utf16_units
from coach.research.coding.marking.reading import read_turns
from coach.research.coding.models import (
    Assignment,
    Code,
    Coder,
    Coding,
    Interview,
    Memo,
    Round,
    Text,
)
from coach.research.coding.rounds.services import given_out, open_round
from coach.research.coding.rounds.sharing import shared_out
from coach.research.coding.selectors import codings_for
from coach.research.studies.models import Member, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_interview, make_study, take_part

HTMX = {"HX-Request": "true"}
SAID = [
    "I like pauses 👩🏽‍🏫, they help; q\u0303uite a lot, <really> & truly.",
    "À mon avis, التوقّف يساعد كثيرًا.",
]


def url(name: str, *more: object) -> str:
    return reverse(f"research:{name}", args=["first-talks", *more])


@pytest.fixture
def study_to_code(researcher: User, trainee: User) -> Study:
    """Rui leads, Ida codes; one interview with Ana, two codes, a kept codebook."""
    study = make_study(researcher)
    ida = UserFactory(email="ida@example.org", name="Ida", roles=[Role.RESEARCHER])
    Member.objects.create(study=study, user=ida, role=Member.Role.CODER)
    ana = take_part(study, trainee)
    make_interview(study, [("I", None, "How was it? 🎤"), ("P", ana, SAID[0]), ("P", ana, SAID[1])])
    for position, name in enumerate(("pauses", "helping")):
        Code.objects.create(study=study, name=name, position=position, colour="#2a9d8f")
    keep_version(study=study, note="", actor=researcher)
    return study


@pytest.fixture
def ida(study_to_code: Study) -> User:
    return User.objects.get(email="ida@example.org")


@pytest.fixture
def opened(study_to_code: Study, researcher: User, ida: User) -> Round:
    """Rui and Ida code the interview."""
    return open_round(
        study=study_to_code,
        title="Trial",
        codebook=study_to_code.codebooks.get(),
        coders=[researcher, ida],
        interviews=list(study_to_code.interviews.all()),
        actor=researcher,
    )


def share_of(user: User) -> Assignment:
    return Assignment.objects.get(coder__user=user)


def send(client: Client, user: User, quote: str, code: str, **more: object) -> str:
    """Mark a quote as the browser says it: turns, and UTF-16 units in their words."""
    text = Text.objects.get()
    start = text.text.index(quote)
    read = next(each for each in read_turns(text) if each.start <= start < each.end)
    begins = utf16_units(read.words, start - read.start)
    number = read.turn.number
    fields = {
        "code": Code.objects.get(name=code).pk,
        "first": number,
        "begins": begins,
        "last": number,
        "ends": begins + utf16_units(quote, len(quote)),
        **more,
    }
    answer = client.post(url("mark", share_of(user).pk), fields, headers=HTMX)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_round_is_opened_on_its_page_and_gives_everybody_their_texts(
    study_to_code: Study, researcher: User, ida: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    interview = Interview.objects.get()
    fields = {
        "title": "Trial",
        "codebook": study_to_code.codebooks.get().pk,
        "coders": [researcher.pk, ida.pk],
        "interviews": [interview.pk],
    }
    answer = client.post(url("new_round"), fields)
    assert answer.headers["Location"] == url("round", 1)
    assert [coder.label for coder in Round.objects.get().coders.all()] == ["C1", "C2"]
    for user in (researcher, ida):
        page = sign_in(user).get(url("rounds")).content.decode()
        assert url("coding", share_of(user).pk) in page
    assert "research.round_opened" in set(Entry.objects.values_list("action", flat=True))


def test_only_locked_texts_and_members_who_may_code_are_given_out(
    study_to_code: Study, researcher: User, sign_in: SignIn
) -> None:
    knows = UserFactory(name="Kim", roles=[Role.RESEARCHER])
    Member.objects.create(study=study_to_code, user=knows, role=Member.Role.ALLOCATOR)
    Interview.objects.update(state=Interview.State.IMPORTED)
    fields = {
        "codebook": study_to_code.codebooks.get().pk,
        "coders": [knows.pk],
        "interviews": [Interview.objects.get().pk],
    }
    page = sign_in(researcher).post(url("new_round"), fields).content.decode()
    assert page.count("Select a valid choice") == 2
    assert not Round.objects.exists()


def test_words_are_coded_at_their_code_points_whatever_the_browser_counts(
    opened: Round, ida: User, sign_in: SignIn
) -> None:
    client = sign_in(ida)
    for quote, code in (("they help", "pauses"), ("<really>", "pauses"), ("يساعد", "helping")):
        page = send(client, ida, quote, code)
        assert "hx-swap-oob" in page
        coding = Coding.objects.latest("pk")
        assert coding.text is not None
        assert coding.text.text[coding.start : coding.end] == quote
    assert coding.coder == share_of(ida).coder
    # Several codes stand on one stretch; the same one stands there once.
    send(client, ida, "they help", "helping")
    send(client, ida, "they help", "helping")
    assert Coding.objects.filter(code__name="helping").count() == 2
    page = client.get(url("coding", share_of(ida).pk)).content.decode()
    assert "marked--several" in page
    assert "&lt;really&gt;" in page


def test_whole_turns_are_coded_without_a_script(opened: Round, ida: User, sign_in: SignIn) -> None:
    share, code = share_of(ida), Code.objects.get(name="pauses")
    answer = sign_in(ida).post(url("mark", share.pk), {"code": code.pk, "turn": ["2", "3"]})
    assert answer.headers["Location"] == f"{url('coding', share.pk)}#turn-2"
    words = [
        coding.text.text[coding.start : coding.end]
        for coding in Coding.objects.select_related("text").order_by("start")
        if coding.text
    ]
    assert words == SAID


def test_a_stretch_may_go_over_several_turns_and_blanks_are_nothing(
    opened: Round, ida: User, sign_in: SignIn
) -> None:
    client, share = sign_in(ida), share_of(ida)
    fields = {"code": Code.objects.get(name="pauses").pk, "first": 2, "begins": 7}
    client.post(url("mark", share.pk), {**fields, "last": 3, "ends": 1})
    coding = Coding.objects.get()
    text = Text.objects.get().text
    assert text[coding.start : coding.end].startswith("pauses")
    assert text[coding.start : coding.end].endswith("\nP: À")
    for nothing in ({"last": 2, "ends": 6}, {"last": 99, "ends": 6}, {"last": "x"}, {"first": ""}):
        page = client.post(url("mark", share.pk), {**fields, **nothing}, headers=HTMX)
        assert "Mark some words first." in page.content.decode()
    assert Coding.objects.count() == 1


def test_every_step_is_taken_back_with_its_memo(opened: Round, ida: User, sign_in: SignIn) -> None:
    client, share = sign_in(ida), share_of(ida)
    send(client, ida, "they help", "pauses")
    coding = Coding.objects.get()
    client.post(url("coding_memo", share.pk), {"coding": coding.pk, "memo": "At once 🙂"})
    client.post(url("unmark", share.pk), {"coding": coding.pk})
    assert not Coding.objects.exists()
    client.post(url("undo_coding", share.pk))
    back = Coding.objects.get()
    assert (back.guid, back.memo, back.start) == (coding.guid, "At once 🙂", coding.start)
    client.post(url("undo_coding", share.pk))
    assert not Coding.objects.exists()
    page = client.post(url("undo_coding", share.pk), headers=HTMX).content.decode()
    assert "Nothing to undo." in page
    acts = list(
        Entry.objects.filter(action__startswith="research.").values_list("action", flat=True)
    )
    assert acts.count("research.coded") == 2
    assert acts.count("research.uncoded") == 2


def test_a_memo_on_the_interview_is_its_coders_own(
    opened: Round, ida: User, researcher: User, sign_in: SignIn
) -> None:
    client, share = sign_in(ida), share_of(ida)
    client.post(url("text_memo", share.pk), {"body": "A calm talk.\r\nReread it."})
    assert Memo.objects.get().body == "A calm talk.\nReread it."
    assert "A calm talk." in client.get(url("coding", share.pk)).content.decode()
    other = sign_in(researcher).get(url("coding", share_of(researcher).pk))
    assert "A calm talk." not in other.content.decode()
    assert "A calm talk." in str(own_data(ida)["coding"])
    client.post(url("text_memo", share.pk), {"body": ""})
    assert not Memo.objects.exists()


def test_while_a_round_is_open_nobody_sees_what_others_coded(
    opened: Round, ida: User, researcher: User, sign_in: SignIn
) -> None:
    send(sign_in(ida), ida, "they help", "pauses")
    assert not codings_for(researcher).exists()
    client = sign_in(researcher)
    for page in (url("coding", share_of(researcher).pk), url("round", 1), url("codebook")):
        shown = client.get(page).content.decode()
        assert "data-of=" not in shown
        assert ">1</td>" not in shown
    assert client.get(url("coding", share_of(ida).pk)).status_code == 404
    theirs = Coding.objects.get().pk
    mine = share_of(researcher).pk
    assert client.post(url("unmark", mine), {"coding": theirs}).status_code == 404
    assert client.post(url("coding_memo", mine), {"coding": theirs, "memo": "x"}).status_code == 404
    client.post(url("close_round", 1))
    assert codings_for(researcher).count() == 1


def test_what_a_model_suggests_is_never_a_persons(
    opened: Round, ida: User, sign_in: SignIn
) -> None:
    model = Coder.objects.create(study=opened.study, number=9, kind=Coder.Kind.MODEL, user=None)
    text = Text.objects.get()
    Coding.objects.create(
        study=opened.study,
        round=opened,
        coder=model,
        code=Code.objects.all()[0],
        text=text,
        start=40,
        end=50,
    )
    page = sign_in(ida).get(url("coding", share_of(ida).pk)).content.decode()
    assert "data-of=" not in page
    Coder.objects.filter(user=ida).update(kind=Coder.Kind.MODEL)
    share = Assignment.objects.get(coder__user=ida)
    assert sign_in(ida).get(url("coding", share.pk)).status_code == 404


def test_a_finished_text_and_a_closed_round_are_not_coded_any_more(
    opened: Round, ida: User, researcher: User, sign_in: SignIn
) -> None:
    client, share = sign_in(ida), share_of(ida)
    client.post(url("finish_text", share.pk), {"finished": "yes"})
    assert "You have finished this" in send(client, ida, "they help", "pauses")
    client.post(url("finish_text", share.pk), {"finished": "no"})
    send(client, ida, "they help", "pauses")
    assert client.post(url("close_round", 1)).status_code == 404  # she only codes
    assert "2 texts are not finished" in sign_in(researcher).get(url("round", 1)).content.decode()
    sign_in(researcher).post(url("close_round", 1))
    assert "This round is closed." in send(client, ida, "<really>", "pauses")
    client.post(url("finish_text", share.pk), {"finished": "yes"})
    share.refresh_from_db()
    assert share.finished_at is None
    assert Coding.objects.count() == 1
    assert "they help" in client.get(url("coding", share.pk)).content.decode()


def test_of_somebody_who_has_left_no_word_is_coded(
    opened: Round, ida: User, sign_in: SignIn
) -> None:
    opened.study.participants.update(withdrawn_at=opened.opened_at)
    assert sign_in(ida).get(url("coding", share_of(ida).pk)).status_code == 404


def test_rounds_are_closed_to_strangers(
    opened: Round, ida: User, stranger: User, sign_in: SignIn
) -> None:
    share = share_of(ida)
    outsider = UserFactory(name="Jon", roles=[Role.RESEARCHER])
    pages = [url("rounds"), url("new_round"), url("round", 1), url("coding", share.pk)]
    posts = [
        url(name, share.pk)
        for name in ("mark", "unmark", "undo_coding", "coding_memo", "text_memo", "finish_text")
    ] + [url("close_round", 1)]
    for user in (stranger, outsider):
        client = sign_in(user)
        assert {client.get(page).status_code for page in pages} == {404}
        assert {client.post(page).status_code for page in posts} == {404}
    assert sign_in(ida).get(url("new_round")).status_code == 404


def test_a_place_in_a_text_that_has_changed_since_is_refused(
    opened: Round, ida: User, sign_in: SignIn
) -> None:
    page = send(sign_in(ida), ida, "they help", "pauses", seen="0" * 64)
    assert "The text has changed since" in page
    assert not Coding.objects.filter(coder__user=ida).exists()


def test_nothing_is_brought_back_into_a_text_that_has_changed_since(
    opened: Round, ida: User, sign_in: SignIn
) -> None:
    client = sign_in(ida)
    send(client, ida, "they help", "pauses")
    coding = Coding.objects.get(coder__user=ida)
    client.post(url("unmark", share_of(ida).pk), {"coding": coding.pk}, headers=HTMX)
    Text.objects.update(sha256="0" * 64)
    client.post(url("undo_coding", share_of(ida).pk), headers=HTMX)
    assert not Coding.objects.filter(coder__user=ida).exists()


def test_each_text_goes_to_so_many_coders_evenly_and_the_same_seed_gives_the_same() -> None:
    texts, coders = [f"INT-{n}" for n in range(1, 11)], ["Ana", "Bea", "Cem", "Dia"]
    dealt = shared_out(texts, coders, 2, "c0ffee00")
    assert dealt == shared_out(texts, coders, 2, "c0ffee00")
    assert dealt != shared_out(texts, coders, 2, "c0ffee01")
    assert list(dealt) == texts
    assert {len(who) for who in dealt.values()} == {2}
    loads = Counter(name for who in dealt.values() for name in who)
    assert max(loads.values()) - min(loads.values()) <= 1
    assert len({frozenset(who) for who in dealt.values()}) >= 4
    assert shared_out(texts, coders, 9, "c0ffee00") == dict.fromkeys(texts, coders)


def test_who_gets_what_is_shown_before_it_is_given_out(
    study_to_code: Study, researcher: User, ida: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    ana = study_to_code.participants.get()
    for words in ("Once more.", "And again."):
        make_interview(study_to_code, [("P", ana, words)])
    fields = {
        "title": "Shared",
        "codebook": study_to_code.codebooks.get().pk,
        "coders": [researcher.pk, ida.pk],
        "interviews": [each.pk for each in Interview.objects.all()],
        "each_to": 1,
    }
    page = client.post(url("new_round"), fields).content.decode()
    assert "Nothing is given out yet." in page
    assert not Round.objects.exists()
    assert page.count("codes it") == 3
    seed = page.split('name="seed" value="')[1][:8]
    answer = client.post(url("new_round"), {**fields, "seed": seed, "shares": "as-shown"})
    assert answer.headers["Location"] == url("round", 1)
    made = Round.objects.get()
    assert (made.each_to, made.seed) == (1, seed)
    dealt = given_out([researcher, ida], list(Interview.objects.all()), [], 1, seed)
    assert {share.interview: [share.coder.user] for share in made.assignments.all()} == dealt
    assert f"drawn with the seed {seed}" in client.get(url("round", 1)).content.decode()
    assert sorted(Counter(share.coder_id for share in made.assignments.all()).values()) == [1, 2]


def test_more_is_given_out_in_an_open_round_and_blindness_is_told(
    opened: Round, study_to_code: Study, researcher: User, ida: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    send(sign_in(ida), ida, "they help", "pauses")
    joe = UserFactory(name="Joe", roles=[Role.RESEARCHER])
    Member.objects.create(study=study_to_code, user=joe, role=Member.Role.CODER)
    page = client.get(url("give_shares", 1)).content.decode()
    assert "The round stays blind" in page
    assert "rounds that are closed" not in page
    fields = {"coders": [joe.pk, ida.pk], "interviews": [Interview.objects.get().pk]}
    client.post(url("give_shares", 1), fields)
    assert Assignment.objects.count() == 3
    assert list(codings_for(joe)) == []
    assert [coder.label for coder in opened.coders.all()] == ["C1", "C2", "C3"]
    assert (
        "They have all of this already."
        in client.post(url("give_shares", 1), fields).content.decode()
    )
    assert Entry.objects.filter(action="research.share_given").count() == 1
    assert sign_in(ida).get(url("give_shares", 1)).status_code == 404
    Round.objects.update(state=Round.State.CLOSED)
    assert client.get(url("give_shares", 1)).status_code == 404
    second = Round.objects.create(study=study_to_code, number=2, codebook=opened.codebook)
    page = client.get(url("give_shares", second.number)).content.decode()
    assert "rounds that are closed" in page
    assert "INT-01: round 1" in " ".join(page.split())


def test_of_a_coder_from_elsewhere_it_is_said_whether_it_is_a_model(
    opened: Round, researcher: User, ida: User, sign_in: SignIn
) -> None:
    other = Coder.objects.create(study=opened.study, number=9)
    opened.coders.add(other)
    client = sign_in(researcher)
    page = client.post(
        url("coder_kind", 1), {"coder": other.pk, "kind": "model"}, follow=True
    ).content.decode()
    assert "Say which model it is, with its version." in page
    client.post(url("coder_kind", 1), {"coder": other.pk, "kind": "model", "model": "Big 2"})
    other.refresh_from_db()
    assert (other.kind, other.model) == ("model", "Big 2")
    mine = opened.coders.get(user=ida)
    client.post(url("coder_kind", 1), {"coder": mine.pk, "kind": "model", "model": "Big 2"})
    mine.refresh_from_db()
    assert mine.kind == "human"
    client.post(url("coder_kind", 1), {"coder": other.pk, "kind": "human"})
    other.refresh_from_db()
    assert (other.kind, other.model) == ("human", "")
    assert sign_in(ida).post(url("coder_kind", 1), {"coder": other.pk}).status_code == 404


@pytest.mark.parametrize("ticked", ["9" * 5000, "\u0663", "-1", "1" * 12])
def test_a_turn_that_is_no_number_of_ours_is_no_error(
    ticked: str, opened: Round, ida: User, sign_in: SignIn
) -> None:
    answer = sign_in(ida).post(
        url("mark", share_of(ida).pk),
        {"code": Code.objects.get(name="pauses").pk, "turn": [ticked]},
        headers=HTMX,
    )
    assert "Mark some words first." in answer.content.decode()
    assert not Coding.objects.exists()
