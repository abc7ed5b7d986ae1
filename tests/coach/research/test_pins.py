"""A study's takes are held to its rules and its policy for its length, and rows say where not."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.urls import reverse
from django.utils import timezone

from coach.accounts.forms import CohortForm
from coach.accounts.models import Cohort, PolicyPin, User
from coach.audit.models import Entry
from coach.feedback.models import Correction, Feedback, Item, Run, Verdict
from coach.feedback.runs.drafting import store_draft
from coach.rehearsals.models import Rehearsal
from coach.research.exports.bundle.scope import Included, last_change
from coach.research.exports.bundle.tables import BY_NAME
from coach.research.exports.bundle.writing import rows_of
from coach.research.studies.models import ConsentEvent, LeftOut, Participant, Study
from coach.research.studies.selectors import changed_weights, read_with_other_weights
from coach.research.studies.services import (
    close_study,
    start_study,
    take_over_newest_rules,
    write_sheet,
)
from coach.research.studies.taking_part import leave_study, record_consents
from coach.rulesets.models import Pin, RuleSetRelease
from coach.rulesets.selectors import active_release, release_for
from tests.coach.conftest import SignIn
from tests.coach.research.conftest import included_in
from tests.coach.research.making import make_study

MEASURES = "research_measurements"


@pytest.fixture
def running(researcher: User, trainee: User, cohort: Cohort) -> Study:
    """A study that Ana takes part in, begun with the rules of then."""
    study = make_study(researcher)
    study.cohorts.add(cohort)
    write_sheet(
        study=study,
        scope=MEASURES,
        language="en",
        text="We count ums.",
        is_material=True,
        actor=researcher,
    )
    start_study(study=study, actor=researcher)
    study.refresh_from_db()
    record_consents(user=trainee, study=study, answers={MEASURES: True})
    return study


@pytest.fixture
def newest(running: Study) -> RuleSetRelease:
    """What a curator published since."""
    before = active_release()
    assert before == running.rule_set
    RuleSetRelease.objects.update(is_active=False)
    return RuleSetRelease.objects.create(
        number=99, digest="d", documents=before.documents, is_active=True
    )


def rules_of(user: User, cohort: Cohort) -> int:
    release = release_for(owner=user.pk, cohort=cohort.pk)
    assert release is not None
    return release.number


def url(name: str, study: Study) -> str:
    return reverse(f"research:{name}", args=[study.slug])


def test_takes_of_a_participant_are_drafted_with_the_rules_of_the_study(
    running: Study,
    newest: RuleSetRelease,
    take: Rehearsal,
    trainee: User,
    coach: User,
    cohort: Cohort,
) -> None:
    assert take.cohort == cohort
    feedback = store_draft(run=Run.objects.filter(rehearsal=take).latest("created_at"))
    assert feedback.rule_set == running.rule_set != newest
    assert rules_of(coach, cohort) == 99
    assert release_for(owner=trainee.pk, cohort=None) == newest


def test_the_page_of_a_study_names_its_rules_in_the_language_of_who_reads(
    running: Study, newest: RuleSetRelease, researcher: User, sign_in: SignIn
) -> None:
    User.objects.filter(pk=researcher.pk).update(language="fr")
    page = sign_in(researcher).get(url("study", running)).content.decode()
    assert f"Jeu de règles {running.rule_set.number}" in page
    assert "Le jeu de règles 99 est désormais en usage." in page
    assert "Rule set" not in page


def test_who_leaves_and_a_closed_study_are_held_to_nothing(
    running: Study, newest: RuleSetRelease, trainee: User, researcher: User, cohort: Cohort
) -> None:
    leave_study(participant=Participant.objects.get(), actor=trainee)
    assert rules_of(trainee, cohort) == 99
    Pin.objects.create(user=trainee, cohort=cohort, release=newest, holder=running.holder)
    close_study(study=running, actor=researcher)
    assert not Pin.objects.exists()
    assert not PolicyPin.objects.exists()


def test_a_lead_takes_the_newest_rules_over_and_nobody_else_does(
    running: Study,
    newest: RuleSetRelease,
    trainee: User,
    researcher: User,
    cohort: Cohort,
    sign_in: SignIn,
) -> None:
    assert "Use the newest rules" in sign_in(researcher).get(url("study", running)).content.decode()
    sign_in(researcher).post(url("step", running), {"step": "take_over_rules"})
    assert rules_of(trainee, cohort) == 99
    assert Entry.objects.filter(action="research.rules_taken_over").count() == 1
    take_over_newest_rules(study=running, actor=researcher)
    assert Entry.objects.filter(action="research.rules_taken_over").count() == 1


def test_a_group_keeps_its_policy_while_a_study_runs(
    running: Study, researcher: User, cohort: Cohort
) -> None:
    wanted = {"name": cohort.name, "policy": "ai_only", "second_opinion_percent": 10}
    form = CohortForm(wanted, instance=Cohort.objects.get(pk=cohort.pk))
    assert "A study that runs was promised" in str(form.errors["policy"])
    close_study(study=running, actor=researcher)
    assert CohortForm(wanted, instance=Cohort.objects.get(pk=cohort.pk)).is_valid()


def test_each_take_says_whether_it_was_made_as_pinned(study: Study, sent: Rehearsal) -> None:
    [row] = rows_of(BY_NAME["rehearsals"], included_in(study))
    assert (row["is_as_pinned"], row["differs_in"]) == (False, "before_the_study rules policy")
    first = sent.feedback.earliest("version")
    assert sent.cohort is not None
    Study.objects.filter(pk=study.pk).update(
        started_at=sent.created_at, rule_set=first.rule_set, policy=sent.cohort.policy
    )
    study.refresh_from_db()
    [row] = rows_of(BY_NAME["rehearsals"], included_in(study))
    assert (row["is_as_pinned"], row["differs_in"]) == (True, "")
    assert row["rule_set"] == first.rule_set.number


def test_weights_that_changed_since_are_named(running: Study) -> None:
    assert changed_weights(running) == []
    name = next(iter(running.weights))
    running.weights[name] = "0" * 64
    assert changed_weights(running) == [name]


def test_a_lead_goes_on_with_the_newest_models_and_it_is_on_record(
    running: Study, researcher: User, sign_in: SignIn
) -> None:
    name, now = next(iter(running.weights.items()))
    Study.objects.update(weights={**running.weights, name: "0" * 64})
    client = sign_in(researcher)
    page = client.get(url("study", running)).content.decode()
    assert "now uses other weights" in page
    assert name in page
    client.post(url("step", running), {"step": "take_over_models"})
    running.refresh_from_db()
    assert running.weights[name] == now
    entry = Entry.objects.get(action="research.models_taken_over")
    assert (entry.detail["before"], entry.detail["after"]) == ({name: "0" * 64}, {name: now})
    assert "now uses other weights" not in client.get(url("study", running)).content.decode()


def test_a_take_that_was_read_with_other_weights_than_promised_says_so(
    study: Study, sent: Rehearsal
) -> None:
    read = {"tiny.en.pt": "1" * 64, "a conversion of ours": "2" * 64}
    study.weights = {"tiny.en.pt": "1" * 64}
    assert not read_with_other_weights(study, read)
    study.weights = {"tiny.en.pt": "3" * 64}
    assert read_with_other_weights(study, read)
    study.weights = {"face_landmarker.task": "4" * 64}
    assert read_with_other_weights(study, read)  # a model that was not promised at all
    study.weights = {}
    assert not read_with_other_weights(study, read)


def correct_a_word(item: Item, coach: User) -> None:
    """A coach heard "the" where the recogniser had written "a"."""
    Correction.objects.create(
        feedback=item.feedback,
        kind="word",
        start=1.0,
        end=1.4,
        before="a",
        after="the",
        made_by=coach,
        made_by_name="Bea",
        probability=0.4,
    )


def test_decisions_releases_and_corrections_after_the_cut_off_are_not_there(
    study: Study, sent: Rehearsal, coach: User
) -> None:
    item = sent.feedback.get().items.get()
    before = last_change(study)
    correct_a_word(item, coach)
    first = item.verdicts.get()
    Verdict.objects.filter(pk=first.pk).update(undone_at=timezone.now())
    Verdict.objects.create(item=item, coach=coach, kind=Verdict.Kind.REJECT, reason="tone")
    Feedback.objects.filter(pk=item.feedback_id).update(released_at=timezone.now())
    then = Included(study=study, cut_off=before)
    assert [row["action"] for row in rows_of(BY_NAME["coach_reviews"], then)] == ["edited"]
    assert [row["undone"] for row in rows_of(BY_NAME["coach_reviews"], then)] == [False]
    [row] = rows_of(BY_NAME["feedback_items"], then)
    assert (row["decision"], row["shown_to_trainee"]) == ("edited", False)
    assert list(rows_of(BY_NAME["corrections"], then)) == []
    now = included_in(study)
    assert now.cut_off > before
    [row] = rows_of(BY_NAME["feedback_items"], now)
    assert row["decision"] == "rejected"
    assert len(list(rows_of(BY_NAME["corrections"], now))) == 1


def test_a_withdrawal_on_paper_holds_at_once_and_names_no_pseudonym(
    running: Study, trainee: User, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    said = {"who": "nobody@example.org", "method": "paper", "is_sure": "on"}
    page = client.post(url("withdrawal", running), said).content.decode()
    assert "No current participant has this name" in page
    client.post(url("withdrawal", running), said | {"who": trainee.email})
    ana = Participant.objects.get()
    assert ana.withdrawn_at is not None
    event = ConsentEvent.objects.latest("pk")
    assert (event.kind, event.method, event.recorded_by) == ("withdrawn", "paper", researcher)
    acts = [str(entry.__dict__) for entry in Entry.objects.all()]
    assert not any(ana.pseudonym in act for act in acts)


def test_a_take_is_left_out_by_its_name_and_taken_in_again(
    study: Study, researcher: User, sign_in: SignIn
) -> None:
    client = sign_in(researcher)
    name = included_in(study).takes[0].name
    assert name in client.get(url("takes", study)).content.decode()
    client.post(url("takes", study), {"take": "R-NOTHING", "reason": "A test."})
    assert not LeftOut.objects.exists()
    client.post(url("takes", study), {"take": name, "reason": "A test."})
    included = included_in(study)
    assert included.takes == ()
    assert included.left_out["rehearsals", "left_out_by_hand"] == 1
    client.post(url("takes", study), {"again": LeftOut.objects.get().pk})
    assert len(included_in(study).takes) == 1


def test_words_that_name_nobody_are_let_through_by_who_leads(
    study: Study, researcher: User, coach: User, sign_in: SignIn
) -> None:
    sign_in(researcher).post(url("allow_words", study), {"words": "Grace\n Grace \nHope"})
    study.refresh_from_db()
    assert study.innocent_words == ["Grace", "Hope"]
    entry = Entry.objects.get(action="research.words_let_through")
    assert entry.detail == {"added": 2, "gone": 0}, "one of them may be a name after all"
    for name in ("allow_words", "takes", "withdrawal"):
        assert sign_in(coach).get(url(name, study)).status_code == 404


def test_items_that_were_replaced_or_held_back_and_corrections_are_in_the_tables(
    study: Study, sent: Rehearsal, coach: User, tmp_path: Path
) -> None:
    item = sent.feedback.get().items.get()
    for kind in (Verdict.Kind.REPLACE, Verdict.Kind.HOLD):
        Verdict.objects.create(item=item, coach=coach, kind=kind, reason="tone")
    found = [row["action"] for row in rows_of(BY_NAME["coach_reviews"], included_in(study))]
    assert found == ["edited", "replaced", "held_back"]
    correct_a_word(item, coach)
    [row] = rows_of(BY_NAME["corrections"], included_in(study))
    assert (row["start_ms"], row["before"], row["after"], row["undone"]) == (
        1000,
        "a",
        "the",
        False,
    )
    agreed = ConsentEvent.objects.filter(scope="research_transcript")
    agreed.update(kind=ConsentEvent.Kind.WITHDRAWN, at=timezone.now())
    [row] = rows_of(BY_NAME["corrections"], included_in(study))
    assert (row["before"], row["after"]) == ("", "")
