"""The pages on which names are taken out, with a browser and without; and who may open them."""

from __future__ import annotations

import re
from datetime import UTC, date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Role, User
from coach.audit.details import detail_words
from coach.audit.models import Entry
from coach.research.coding.interviews.redaction.deciding import propose_redactions
from coach.research.coding.interviews.services import write_guide
from coach.research.coding.interviews.transcript_text import SpokenTurn, lay_text
from coach.research.coding.models import Interview, Redaction, Speaker, Text, Turn
from coach.research.exports.bundle.scope import Included
from coach.research.studies.models import ConsentEvent, Member, Participant, Study
from coach.research.studies.services import write_sheet
from tests.coach.conftest import SignIn
from tests.coach.factories import UserFactory
from tests.coach.research.making import make_study, take_part


@pytest.fixture
def study(researcher: User) -> Study:
    """Rui's."""
    return make_study(researcher)


@pytest.fixture
def interview(study: Study) -> Interview:
    """One with somebody who names Bea Marsh."""
    made = Interview.objects.create(
        study=study, number=1, mode="phone", language="en", held_on=date(2026, 3, 3)
    )
    asks = Speaker.objects.create(interview=made, label="I", role="interviewer")
    ada = Speaker.objects.create(interview=made, label="P", role="participant", called="Ada")
    said = [
        SpokenTurn(speaker=asks, words="Who?"),
        SpokenTurn(speaker=ada, words="So Bea Marsh 🎤 and tom did."),
    ]
    propose_redactions(text=lay_text(made, said, Text.Kind.RAW))
    return made


def url(name: str, interview: Interview) -> str:
    return reverse(f"research:{name}", args=[interview.study.slug, interview.number])


def decide(client: Client, interview: Interview, **said: object) -> str:
    row = Redaction.objects.order_by("start").first()
    assert row is not None
    form = {"step": "decide", "of": row.pk, "state": "approved", "kind": "NAME", **said}
    return client.post(url("redact", interview), form, follow=True).content.decode()


def test_an_interview_says_its_language_in_words(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    assert "· English</p>" in client.get(url("interview", interview)).content.decode()
    page = client.get(reverse("research:interviews", args=[interview.study.slug]))
    assert "· English</span>" in page.content.decode()


def test_an_interview_is_rid_of_names_and_locked_without_a_script(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    page = client.get(url("redact", interview)).content.decode()
    assert "1 to decide" in page
    # “Redact” of sixty proposals says of which: their group has the words as its name.
    assert 'role="group" aria-label="Bea Marsh"' in page
    assert "Lock the text" not in page
    assert "Lock the text" in decide(client, interview)
    words = {"step": "words", "words": "tom\nnobody", "kind": "NAME", "same_as": ""}
    client.post(url("redact", interview), words)
    at = "I: Who?\nP: So Bea Marsh ".__len__()
    selected = {"step": "mark", "start": at, "end": at + 1, "kind": "OTHER"}
    client.post(url("redact", interview), selected)
    refused = client.post(url("lock", interview), follow=True).content.decode()
    assert "Read the whole text first" in refused
    done = client.post(url("lock", interview), {"read": "yes"}, follow=True).content.decode()
    assert "So [NAME-1] [OTHER-1] and [NAME-2] did." in done
    assert "Bea Marsh" not in done
    assert "Locked, with 3 redactions." in done
    client.post(url("original", interview))
    assert Text.objects.get().kind == Text.Kind.LOCKED
    acts = list(Entry.objects.values_list("action", flat=True))
    assert acts.count("research.redaction_marked") == 2
    assert {"research.interview_locked", "research.original_deleted"} <= set(acts)


def test_what_older_rules_left_of_an_address_is_asked_for_when_the_page_is_opened(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    decide(client, interview)
    text = interview.texts.get()
    text.text = text.text.replace("tom did", "x@y.fr.")
    text.redaction_version = "1"
    text.save()
    refused = client.post(url("lock", interview), {"read": "yes"}, follow=True).content.decode()
    assert "Decide on every proposed redaction first." in refused
    assert "1 to decide" in refused
    assert "looks like an email address" in refused
    assert "1 decided" in refused


def test_htmx_gets_the_part_that_changes_and_a_problem_in_words(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    said = {"step": "words", "words": "nobody", "kind": "NAME"}
    answer = client.post(url("redact", interview), said, headers={"HX-Request": "true"})
    assert "These words do not occur in the text." in answer.content.decode()
    assert "<html" not in answer.content.decode()
    for wrong in ({"step": "mark"}, {"step": "turn", "turn": "99"}, {"step": "decide", "of": "x"}):
        assert 'role="alert"' in client.post(url("redact", interview), wrong).content.decode()
    assert client.post(url("redact", interview), {"step": "no"}).status_code == 404
    client.post(url("redact", interview), {"step": "turn", "turn": "2"})
    assert Redaction.objects.get().kind == Redaction.Kind.OTHER


def test_a_proposal_of_another_interview_is_not_there(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    other = Interview.objects.create(
        study=interview.study, number=2, mode="phone", language="en", held_on=date(2026, 3, 3)
    )
    speaker = Speaker.objects.create(interview=other, label="P", role="participant")
    lay_text(other, [SpokenTurn(speaker=speaker, words="Hm.")], Text.Kind.RAW)
    row = Redaction.objects.get()
    said = {"step": "decide", "of": row.pk, "state": "approved", "kind": "NAME"}
    refused = sign_in(researcher).post(url("redact", other), said).content.decode()
    assert "Reload the page." in refused
    assert "Bea Marsh" not in refused
    assert Redaction.objects.get().state == Redaction.State.PROPOSED


def test_who_opens_the_page_takes_no_proposal_from_somebody_who_decides(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    client, row = sign_in(researcher), Redaction.objects.get()
    gone = Redaction.objects.create(text=row.text, start=0, end=1, kind="NAME", found_by="capital")
    Text.objects.update(redaction_version="1")
    Redaction.objects.filter(pk=row.pk).update(found_by="placed", kind="PLACE")
    client.get(url("redact", interview))
    again = Redaction.objects.get()
    assert (again.pk, again.kind, again.found_by) == (row.pk, row.kind, row.found_by)
    said = {"step": "decide", "of": gone.pk, "state": "approved", "kind": "NAME"}
    assert "Reload the page." in client.post(url("redact", interview), said).content.decode()
    client.post(url("redact", interview), said | {"of": row.pk})
    again.refresh_from_db()
    assert again.state == Redaction.State.APPROVED


def test_a_pseudonym_for_who_asks_is_refused_and_not_left_out(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    asks, ada = interview.speakers.all()
    known = take_part(interview.study, UserFactory())
    said = {
        f"role_{asks.pk}": "interviewer",
        f"person_{asks.pk}": str(known.pk),
        f"role_{ada.pk}": "participant",
    }
    answer = sign_in(researcher).post(url("speakers", interview), said)
    assert answer.status_code == 422
    assert "Only participants have a pseudonym" in answer.content.decode()
    interview.refresh_from_db()
    assert interview.participant is None


def test_who_speaks_can_be_said_later_also_somebody_without_an_account(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    asks, ada = interview.speakers.all()
    known = take_part(interview.study, UserFactory())
    said = {
        f"role_{asks.pk}": "participant",
        f"person_{asks.pk}": str(known.pk),
        f"role_{ada.pk}": "participant",
        f"person_{ada.pk}": "new",
    }
    answer = client.post(url("speakers", interview), said)
    refused = answer.content.decode()
    assert answer.status_code == 422
    assert "Choose this person’s role in the study." in refused
    assert f'<option value="{known.pk}" selected>' in refused
    assert interview.study.participants.count() == 1
    said |= {f"group_{asks.pk}": "expert", f"group_{ada.pk}": "coach"}
    client.post(url("speakers", interview), said)
    interview.refresh_from_db()
    ada.refresh_from_db()
    known.refresh_from_db()
    assert known.group == Participant.Group.TRAINEE  # known by the account
    assert interview.kind == Interview.Kind.FOCUS_GROUP
    assert interview.participant == known
    assert ada.participant is not None
    assert ada.participant.group == Participant.Group.COACH
    page = client.get(url("interview", interview)).content.decode()
    assert '<option value="coach" selected>' in page
    again = {f"person_{ada.pk}": str(ada.participant_id), f"group_{ada.pk}": "expert"}
    client.post(url("speakers", interview), said | again)
    ada.participant.refresh_from_db()
    assert ada.participant.group == Participant.Group.EXPERT
    elsewhere = take_part(make_study(UserFactory(), "other"), UserFactory())
    client.post(url("speakers", interview), said | {f"person_{asks.pk}": str(elsewhere.pk)})
    interview.refresh_from_db()
    assert interview.participant == known


def shown(page: str, speaker: Speaker) -> dict[str, str]:
    """What the form says again of a group that nobody touches."""
    hidden = re.search(rf'name="(initial-\w*group_{speaker.pk})" value="(\w*)"', page)
    assert hidden is not None
    return {hidden[1]: hidden[2], f"group_{speaker.pk}": hidden[2]}


def test_another_pseudonym_keeps_its_group_and_a_change_of_it_is_logged(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    asks, ada = interview.speakers.all()
    people = Participant.objects
    expert = people.create(study=interview.study, group="expert")
    other = people.create(study=interview.study, group="trainee")
    interview.speakers.update(participant=expert, role="participant")
    page = client.get(url("interview", interview)).content.decode()
    said = {f"role_{each.pk}": "participant" for each in (asks, ada)}
    said |= shown(page, asks) | shown(page, ada)
    people.filter(pk=expert.pk).update(group="coach")  # by a colleague, meanwhile
    corrected = {f"person_{asks.pk}": str(expert.pk), f"person_{ada.pk}": str(other.pk)}
    client.post(url("speakers", interview), said | corrected)
    ada.refresh_from_db()
    assert ada.participant == other
    assert people.get(pk=other.pk).group == "trainee"
    assert people.get(pk=expert.pk).group == "coach"
    assert not Entry.objects.filter(action="research.group_changed").exists()
    both = {f"person_{each.pk}": str(expert.pk) for each in (asks, ada)}
    client.post(url("speakers", interview), said | both | {f"group_{asks.pk}": "trainee"})
    assert people.get(pk=expert.pk).group == "trainee"
    entry = Entry.objects.get(action="research.group_changed")
    assert entry.detail == {"person": expert.pseudonym, "before": "coach", "after": "trainee"}
    assert detail_words(entry.action, entry.object_type, entry.detail).startswith("Coach → Trainee")


def test_who_has_left_stays_who_they_are_so_that_their_words_stay_hidden(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    asks, ada = interview.speakers.all()
    gone = take_part(interview.study, UserFactory())
    Speaker.objects.filter(pk=ada.pk).update(participant=gone, role="participant")
    Participant.objects.filter(pk=gone.pk).update(withdrawn_at=timezone.now())
    client.post(url("speakers", interview), {f"role_{asks.pk}": "interviewer"})
    ada.refresh_from_db()
    assert ada.participant == gone


def test_what_somebody_without_an_account_agreed_to_is_written_down_and_counts(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    asks, ada = interview.speakers.all()
    said = {
        f"role_{asks.pk}": "interviewer",
        f"person_{asks.pk}": "",
        f"role_{ada.pk}": "participant",
        f"person_{ada.pk}": "new",
        f"group_{ada.pk}": "trainee",
    }
    client.post(url("speakers", interview), said)
    consents = reverse("research:consents", args=[interview.study.slug])
    consents += f"?interview={interview.number}"
    assert "Write an information sheet first" in client.get(consents).content.decode()
    for scope in ("research_transcript", "research_quotes"):
        write_sheet(
            study=interview.study,
            scope=scope,
            language="en",
            text=f"What we do: {scope}.",
            is_material=True,
            actor=researcher,
        )
    ada.refresh_from_db()
    form = {
        "person": ada.participant_id,
        "sheet": f"en-{interview.study.documents.get(scope='research_transcript').sha256}",
        "answer": "yes",
        "method": "paper",
        "said_on": "2026-03-03",
    }
    shown = (
        f"{ada.participant} · What I said, with names taken out · agreed · on paper · 3 March 2026"
    )
    before = client.get(url("interview", interview)).content.decode()
    assert "No consent is recorded yet." in before
    assert shown not in before
    for _twice in range(2):
        told = client.post(consents, form, follow=True).content.decode()
    assert "Trainee · INT-01" in told
    assert shown in client.get(url("interview", interview)).content.decode()
    event = ConsentEvent.objects.get()
    assert (event.participant, event.method, event.recorded_by) == (
        ada.participant,
        "paper",
        researcher,
    )
    answer = client.post(consents, form | {"said_on": "2999-01-01", "method": "verbal_recorded"})
    refused = answer.content.decode()
    assert answer.status_code == 422
    assert "This date is in the future." in refused
    assert 'value="2999-01-01"' in refused
    assert '<option value="verbal_recorded" selected>' in refused
    assert re.search(rf'value="{ada.participant_id}" checked', refused)
    # What is today east of the site is no day to come, and what is not yet today there is one.
    farthest = (timezone.now() + timedelta(hours=14)).astimezone(UTC).date()
    for day, refuses in ((farthest + timedelta(days=2), True), (farthest, False)):
        said = client.post(consents, form | {"said_on": f"{day}"})
        assert ("This date is in the future." in said.content.decode()) is refuses
    somebody = take_part(interview.study, UserFactory())
    assert client.post(consents, form | {"person": somebody.pk}).status_code == 422
    assert ConsentEvent.objects.count() == 1
    decide(client, interview)
    client.post(url("lock", interview), {"read": "yes"})
    included = Included(study=interview.study, cut_off=timezone.now())
    assert [each.interview for each in included.conversations] == [interview]
    assert [each.participant.group for each in included.people] == ["trainee"]


def test_turns_name_the_question_of_the_guide(
    interview: Interview, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    interview.guide = write_guide(
        study=interview.study, text="Hello.\n1. Who helped?\n2) Who?", actor=researcher
    )
    interview.save()
    page = client.get(url("interview", interview)).content.decode()
    assert '<option value="2" selected>' in page
    client.post(url("questions", interview), {"turn_1": "2"})
    client.post(url("questions", interview), {"turn_1": "7"})
    assert list(Turn.objects.values_list("question", flat=True)) == [2, None]
    decide(client, interview)
    done = client.post(url("lock", interview), {"read": "yes"}, follow=True).content.decode()
    assert "question 2" in done


@pytest.mark.parametrize("role", ["coder", "analyst", "allocator", "redactor", None])
def test_only_those_who_take_names_out_see_them(
    interview: Interview, sign_in: SignIn, role: str | None
) -> None:
    other = UserFactory(roles=[Role.RESEARCHER])
    if role:
        Member.objects.create(study=interview.study, user=other, role=role)
    client = sign_in(other)
    redacts = role == "redactor"
    page = client.get(url("interview", interview))
    assert page.status_code == (200 if role else 404)
    assert "Bea Marsh" not in page.content.decode()
    assert ("Ada" in page.content.decode()) is redacts
    assert client.get(url("redact", interview)).status_code == (200 if redacts else 404)
    for name in ("lock", "original", "speakers", "questions"):
        assert (client.post(url(name, interview)).status_code == 404) is not redacts
