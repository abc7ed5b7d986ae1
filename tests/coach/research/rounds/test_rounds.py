"""A round as two coders live it: opened, given out, coded unseen, closed."""

from __future__ import annotations

from collections import Counter

from coach.accounts.models import Role, User
from coach.audit.models import Entry
from coach.research.coding.models import Assignment, Code, Coder, Coding, Interview, Round, Text
from coach.research.coding.rounds.services import distribution_of
from coach.research.coding.rounds.sharing import shared_out
from coach.research.coding.selectors import codings_for
from coach.research.studies.models import Member, Study
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_interview
from tests.coach.research.rounds.coding import send, share_of, url


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
    client = sign_in(researcher)
    page = client.post(url("new_round"), fields).content.decode()
    assert page.count("Select a valid choice") == 2
    assert not Round.objects.exists()
    assert (
        f'href="{url("interviews")}">Go to the interviews'
        in client.get(url("rounds")).content.decode()
    )


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
    assert "You have marked this as finished" in send(client, ida, "they help", "pauses")
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
    assert "Nothing is assigned yet." in page
    assert not Round.objects.exists()
    assert page.count("codes this") == 3
    seed = page.split('name="seed" value="')[1][:8]
    answer = client.post(url("new_round"), {**fields, "seed": seed, "shares": "as-shown"})
    assert answer.headers["Location"] == url("round", 1)
    made = Round.objects.get()
    assert (made.each_to, made.seed) == (1, seed)
    dealt = distribution_of([researcher, ida], list(Interview.objects.all()), [], 1, seed)
    assert {share.interview: [share.coder.user] for share in made.assignments.all()} == dealt
    assert f"with seed {seed}" in client.get(url("round", 1)).content.decode()
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
    assert "also in closed rounds" not in page
    fields = {"coders": [joe.pk, ida.pk], "interviews": [Interview.objects.get().pk]}
    client.post(url("give_shares", 1), fields)
    assert Assignment.objects.count() == 3
    assert list(codings_for(joe)) == []
    assert [coder.label for coder in opened.coders.all()] == ["C1", "C2", "C3"]
    assert (
        "These coders already have all of this."
        in client.post(url("give_shares", 1), fields).content.decode()
    )
    assert Entry.objects.filter(action="research.share_given").count() == 1
    assert sign_in(ida).get(url("give_shares", 1)).status_code == 404
    Round.objects.update(state=Round.State.CLOSED)
    assert client.get(url("give_shares", 1)).status_code == 404
    second = Round.objects.create(study=study_to_code, number=2, codebook=opened.codebook)
    page = client.get(url("give_shares", second.number)).content.decode()
    assert "also in closed rounds" in page
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
    assert "Enter the name and version of the model." in page
    client.post(url("coder_kind", 1), {"coder": other.pk, "kind": "model", "model": "Big\0 2"})
    other.refresh_from_db()
    assert (other.kind, other.model) == ("model", "Big 2")
    mine = opened.coders.get(user=ida)
    client.post(url("coder_kind", 1), {"coder": mine.pk, "kind": "model", "model": "Big\0 2"})
    mine.refresh_from_db()
    assert mine.kind == "human"
    client.post(url("coder_kind", 1), {"coder": other.pk, "kind": "human"})
    other.refresh_from_db()
    assert (other.kind, other.model) == ("human", "")
    assert sign_in(ida).post(url("coder_kind", 1), {"coder": other.pk}).status_code == 404
