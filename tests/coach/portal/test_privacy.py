"""People decide what is kept and used; erasing leaves nothing of theirs behind."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.apps import apps
from django.db import models
from django.urls import reverse
from django.utils import timezone

from analysis.results import SCHEMA_VERSION
from coach.accounts.models import Cohort, Purpose, Role, User
from coach.accounts.selectors import has_consent
from coach.audit.models import Entry
from coach.curation.models import Mute
from coach.curation.releases import mute_rule, unmute_rule
from coach.feedback.messages import dispute_item
from coach.feedback.models import Feedback, Verdict
from coach.feedback.verdicts import decide_on_item
from coach.lib.words.dates import date_words
from coach.portal.personal.erasure import erase_person
from coach.portal.personal.privacy import MOST_VIEWINGS
from coach.rehearsals.models import Rehearsal, Upload, Viewing
from coach.rulesets.models import RuleSetRelease
from coach.rulesets.services import publish_builtin_rules
from tests.coach.conftest import SignIn
from tests.coach.factories import RehearsalFactory, UserFactory, folder_of


def test_consent_is_given_and_withdrawn_and_pressing_twice_changes_nothing(
    trainee: User, sign_in: SignIn
) -> None:
    url = reverse("portal:consent", args=[Purpose.RESEARCH_MEASUREMENTS])
    for _press in range(2):
        sign_in(trainee).post(url, {"wish": "give"})
        assert has_consent(trainee, purpose=Purpose.RESEARCH_MEASUREMENTS)
    for _press in range(2):
        sign_in(trainee).post(url, {"wish": "withdraw"})
        assert not has_consent(trainee, purpose=Purpose.RESEARCH_MEASUREMENTS)
    assert trainee.consents.count() == 1
    actions = Entry.objects.filter(actor=trainee).values_list("action", flat=True)
    assert set(actions) == {"accounts.consent_given", "accounts.consent_withdrawn"}


@pytest.mark.parametrize(("purpose", "wish"), [("marketing", "give"), ("research", "?")])
def test_a_purpose_or_wish_that_does_not_exist_changes_nothing(
    purpose: str, wish: str, trainee: User, sign_in: SignIn
) -> None:
    sign_in(trainee).post(reverse("portal:consent", args=[purpose]), {"wish": wish})
    assert not trainee.consents.exists()


def test_a_measure_that_does_not_exist_is_refused_in_words(trainee: User, sign_in: SignIn) -> None:
    url = reverse("portal:families")
    page = sign_in(trainee).post(url, {"off": ["face", "aura"]}, follow=True).content.decode()
    assert "This measure does not exist: aura." in page
    trainee.refresh_from_db()
    assert trainee.disabled_families == []


def test_families_can_be_switched_off(trainee: User, sign_in: SignIn) -> None:
    sign_in(trainee).post(reverse("portal:families"), {"off": ["face", "fluency"]})
    trainee.refresh_from_db()
    assert trainee.disabled_families == ["face", "fluency"]
    page = sign_in(trainee).get(reverse("portal:profile")).content.decode()
    assert page.count("checked") == 4  # asked first, and put as it is, as usual


def test_ones_own_data_can_be_taken_away(take: Rehearsal, trainee: User, sign_in: SignIn) -> None:
    response = sign_in(trainee).get(reverse("portal:own_data"))
    data = json.loads(response.getvalue())
    assert data["email"] == "ana@example.org"
    assert data["rehearsals"][0]["report"]["schema_version"] == SCHEMA_VERSION
    assert data["rehearsals"][0]["feedback"]


def test_it_holds_what_one_wrote_and_who_looked(
    sent: Rehearsal, coach: User, stranger: User, trainee: User, sign_in: SignIn
) -> None:
    item = sent.feedback.get().items.get()
    dispute_item(item=item, owner=trainee, reason="not_right", note="That was a cough.")
    sign_in(coach).get(reverse("feedback:report", args=[sent.pk]))
    Upload.objects.create(owner=trainee, name="late.mp4", expected_bytes=9)
    Upload.objects.create(owner=stranger, name="elsewhere.mp4", expected_bytes=9)
    text = sign_in(trainee).get(reverse("portal:own_data")).getvalue().decode()
    for mine in ("That was a cough.", "Please look at my opening.", "Bea", "late.mp4", "take.mp4"):
        assert mine in text
    assert "elsewhere.mp4" not in text


def test_erasing_asks_first_and_says_what_stays(trainee: User, sign_in: SignIn) -> None:
    client = sign_in(trainee)
    page = client.get(reverse("portal:erase"))
    assert page.status_code == 200
    assert "what you wrote for others as a coach" in page.content.decode()
    client.post(reverse("portal:erase"), {"confirm": "no"})
    assert User.objects.filter(pk=trainee.pk).exists()


def test_the_only_administrator_is_told_that_nobody_would_be_left(
    administrator: User, sign_in: SignIn
) -> None:
    client, erase = sign_in(administrator), reverse("portal:erase")
    assert "You are the only administrator" in client.get(erase).content.decode()
    UserFactory(email="second@example.org", is_staff=True)
    assert "You are the only administrator" not in client.get(erase).content.decode()


def test_erasing_removes_the_person_and_everything_of_theirs(
    draft: Feedback,
    trainee: User,
    coach: User,
    sign_in: SignIn,
    django_capture_on_commit_callbacks: pytest.FixtureRequest,
) -> None:
    decide_on_item(item=draft.items.get(), coach=coach, kind=Verdict.Kind.ACCEPT)
    folder = folder_of(draft.rehearsal)
    client = sign_in(trainee)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        response = client.post(reverse("portal:erase"), {"confirm": "erase"})
    assert response.status_code == 200
    assert not User.objects.filter(email="ana@example.org").exists()
    assert not Rehearsal.objects.exists()
    assert not Verdict.objects.exists()
    assert not folder.exists()
    assert client.get(reverse("portal:privacy")).status_code == 302


def test_erasing_a_coach_keeps_the_decisions_without_the_name(draft: Feedback, coach: User) -> None:
    decide_on_item(item=draft.items.get(), coach=coach, kind=Verdict.Kind.ACCEPT)
    erase_person(user=coach)
    verdict = Verdict.objects.get()
    assert verdict.coach is None
    assert verdict.coach_name == "A former coach"


# Rows that stay when a person goes, and why that is right.
KEEPS_WITHOUT_THE_PERSON = {
    "assignments.assignment.written_by": "an assignment is the group's; who wrote it goes",
    "assignments.assignmentwork.extended_by": "the new date is the trainee's; who gave it goes",
    "audit.entry.actor": "what happened stays on record, who did it goes",
    "accounts.legalhold.set_by": "a hold stands by its reason; whose it was goes",
    "practice.coachingsession.coach": "notes of a session are its trainee's; the name goes",
    "practice.coachtask.set_by": "a task is its trainee's; who set it goes",
    "second.disagreementmessage.author": "why an opinion counts stays; the name goes",
    "practice.focusarea.set_by": "the plan is its person's; who set a step goes",
    "rehearsals.emergencyaccess.administrator": "the owner still reads the reason; the name goes",
    "rehearsals.viewing.viewer": "the owner still sees that somebody looked",
    "spoken.spokenreply.author": "the words stay with the take; the voice and the name go",
    "threads.threadentry.author": "messages are the take's; the coach's name goes",
    "rulesets.rulesetrelease.published_by": "a rule set is nobody's personal data",
    "rulesets.ruleversion.author": "a rule is nobody's personal data; the name goes",
    "curation.proposal.decided_by": "rules stay; the name goes",
    "curation.dryrun.started_by": "a count of takes is nobody's personal data",
    "curation.mute.muted_by": "rules stay; the name goes",
    "curation.mute.lifted_by": "rules stay; the name goes",
    "feedback.feedback.released_by": "released feedback is the trainee's",
    "feedback.item.author": "released feedback is the trainee's",
    "feedback.verdict.coach": "decisions measure the rules",
    "feedback.deskact.coach": "what was done at the desk is the take's; the name goes",
    "feedback.timednote.author": "released notes are the trainee's; the name goes",
    "feedback.correction.made_by": "a labelled place is the take's; the name goes",
    "feedback.question.asker": "what a coach asked is the take's; the name goes",
    "feedback.question.answered_by": "answers are the trainee's; the name goes",
    "feedback.dispute.answered_by": "answers are the trainee's; the name goes",
    "guests.guestlink.made_by": "comments are the owner's; the link ends, the name goes",
    "webhooks.webhookendpoint.added_by": "a webhook is the site's; who added it goes",
    "lti.platform.added_by": "a platform is the site's; who registered it goes",
    "research.study.created_by": "a study is its members'",
    "research.leftout.by": "that somebody was left out stays, by whom goes",
    "research.consentdocument.created_by": "what people agreed to stays, who wrote it goes",
    "research.consentevent.recorded_by": "that a consent was noted stays, by whom goes",
    "research.codebookversion.by": "a codebook is the study's",
    "research.codechange.by": "the trace of a code stays, the name goes",
    "research.guide.created_by": "a guide is the study's",
    "research.transcript.uploaded_by": "goes with its file after a week, by whom goes at once",
    "research.recording.added_by": "a recording is its study's, and goes by its clock",
    "research.listening.by": "who is heard still sees that somebody listened",
    "research.interview.created_by": "an interview is its study's",
    "research.text.by": "a text is its interview's",
    "research.redaction.decided_by": "what is hidden stays hidden",
    "research.coder.user": "codings stay, under the coder's pseudonym",
    "research.adjudication.by": "what was settled stays, by whom goes",
    "research.export.asked_by": "the ledger says what left the house, whoever asked",
    "research.export.downloaded_by": "the ledger says what left the house, whoever took it",
    "research.bundleimport.asked_by": "what was imported is the study's",
    "review.review.coach": "the take still waits for an answer, in nobody's hands",
    "review.review.meant_for": "the take still waits for an answer",
    "review.review.handed_by": "the take still waits for a colleague; the name goes",
    "review.review.given_back_by": "it waits for others; the name goes",
    "rubric.rating.coach": "levels are the take's; the name goes",
    "portal.groupcode.made_by": "a class still joins by it; the name goes",
    "portal.invitation.asked_by": "the invited person still has the letter; the name goes",
    "portal.invitationlist.made_by": "the invitations stay; the name goes",
    "questions.askedquestion.commented_by": "the comment is the answer's; the name goes",
    "second.opinion.coach": "what two coaches agree on is nobody's; the name goes",
    "second.calibrationtake.marked_by": "a clip stands by what it shows; whose it was goes",
    "review.review.handled_by": "how long an answer took is the take's",
    "review.review.flagged_by": "what has to be settled stays so, whoever saw it",
}
GOES_WITH_DJANGO = ("admin.", "account.", "accounts.user_")


def test_every_row_that_names_a_person_goes_with_them_or_is_listed_here() -> None:
    kept = set()
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.get_fields():
            if not isinstance(field, models.ForeignKey | models.OneToOneField):
                continue
            label = f"{model._meta.label_lower}.{field.name}"
            if field.related_model is not User or label.startswith(GOES_WITH_DJANGO):
                continue
            if field.remote_field.on_delete is not models.CASCADE:
                kept.add(label)
    assert kept == set(KEEPS_WITHOUT_THE_PERSON)


def test_erasing_a_curator_keeps_the_rules_without_the_name(db: None) -> None:
    curator = UserFactory(email="dora@example.org", name="Dora", roles=[Role.CURATOR])
    publish_builtin_rules(actor=curator)
    mute_rule(rule="FIL001", curator=curator, why="Wrong here.")
    unmute_rule(rule="FIL001", curator=curator)
    erase_person(user=curator)
    mute = Mute.objects.get()
    assert (mute.muted_by, mute.muted_by_name, mute.lifted_by_name) == (
        None,
        "A former curator",
        "A former curator",
    )
    by_hand = RuleSetRelease.objects.exclude(published_by_name="")  # The first came with Rostrum.
    assert set(by_hand.values_list("published_by_name", flat=True)) == {"A former curator"}


def test_of_many_takes_those_that_go_first_are_in_sight_and_each_can_be_told_apart(
    trainee: User, cohort: Cohort, sign_in: SignIn
) -> None:
    takes = [RehearsalFactory(owner=trainee, cohort=cohort, title="My talk") for _ in range(7)]
    takes.append(
        gone := RehearsalFactory(owner=trainee, cohort=cohort, media_removed_at=timezone.now())
    )
    long_ago = timezone.now() - timedelta(days=90)
    Rehearsal.objects.filter(pk=gone.pk).update(created_at=long_ago)
    page = sign_in(trainee).get(reverse("portal:privacy")).content.decode()
    kept = page[page.index('id="kept"') : page.index('id="yours"')]
    in_sight, folded = kept.split("<details")
    places = [reverse("feedback:report", args=[take.pk]) for take in takes]
    assert [place in in_sight for place in places] == [True] * 5 + [False] * 3
    assert [place in folded for place in places] == [False] * 5 + [True] * 3
    assert date_words(takes[0].created_at) in in_sight


def test_of_many_who_looked_the_newest_are_in_sight(
    trainee: User, coach: User, sign_in: SignIn
) -> None:
    take = RehearsalFactory(owner=trainee)
    Viewing.objects.bulk_create(
        Viewing(rehearsal=take, viewer=coach, what="desk") for _ in range(MOST_VIEWINGS + 1)
    )
    page = sign_in(trainee).get(reverse("portal:privacy")).content.decode()
    looked = page[page.index('id="viewings"') : page.index('id="kept"')]
    in_sight, folded = looked.split("<details")
    assert in_sight.count("opened it to review it") == 5
    assert folded.count("opened it to review it") == MOST_VIEWINGS - 5
    assert "Older entries are in your download." in folded
    Viewing.objects.filter(pk=take.viewings.order_by("pk")[0].pk).delete()
    page = sign_in(trainee).get(reverse("portal:privacy")).content.decode()
    assert "Older entries are in your download." not in page
