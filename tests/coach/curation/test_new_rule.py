"""A new rule from six questions: any measure, either tone, one language or both."""

from __future__ import annotations

from itertools import cycle
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.curation.models import Proposal
from coach.curation.new_rule.document import Answers, rule_from
from coach.curation.new_rule.measures import known_of, offered, round_thresholds
from coach.rehearsals.models import Rehearsal
from coach.rulesets.selectors import rule_of
from feedback_rules.explain import problems_of
from tests.coach.conftest import SignIn

pytestmark = pytest.mark.usefixtures("release")

SUBJECT = {
    "title": "Long silences before names",
    "tone": "improvement",
    "quality": "fluency",
    "metric": "fillers.filled_pauses_per_minute",
}
ENGLISH = {
    "claim_en": "Here an um often came first.",
    "why_en": "Listeners wait for the word behind it.",
    "suggestion_en": "Breathe in before the next name.",
    "exercise_title_en": "Names in silence",
    "exercise_text_en": "Say five names from your talk, each after one silent breath. Record it.",
}
FRENCH = {
    "claim_fr": "Ici, un « euh » venait souvent d’abord.",
    "why_fr": "Le public attend le mot qui suit.",
    "suggestion_fr": "Inspirez avant le prochain nom.",
    "exercise_title_fr": "Les noms en silence",
    "exercise_text_fr": "Dites cinq noms, chacun après une respiration en silence. Enregistrez.",
}
REST = {
    "side": "above",
    "threshold": 8,
    "cases": [],
    "min_seconds": 60,
    "other_metric": "",
    "other_side": "",
    "other_threshold": "",
    "errs": "A talk about speech itself.",
    "behaviour": "silence_for_fillers",
    "source": "",
    "never_with": ["FIL010"],
    "id": "FIL101",
}


def address(**changes: str) -> str:
    return f"{reverse('curation:new_answers')}?{urlencode({**SUBJECT, **changes})}"


def test_answers_in_both_languages_are_a_proposal_that_holds(
    sign_in: SignIn, curator: User
) -> None:
    client = sign_in(curator)
    page = client.get(address())
    assert page.context["form"]["id"].value() == "FIL101"
    assert page.context["form"]["never_with"].value() == ["FIL010", "FIL011"]
    answered = client.post(address(), {**REST, **ENGLISH, **FRENCH})
    proposal = Proposal.objects.get(rule="FIL101")
    assert answered["location"] == reverse("curation:proposal", args=[proposal.pk])
    rule = rule_of(proposal.version)
    assert not problems_of(rule)
    assert (rule.status, rule.decided_by) == ("experimental", "machine_then_coach")
    assert [case.fires for case in rule.cases] == [True, False, False]


def test_one_language_is_a_draft_in_the_editor(sign_in: SignIn, curator: User) -> None:
    client = sign_in(curator)
    answered = client.post(address(), {**REST, **ENGLISH}, follow=True)
    assert answered.redirect_chain[-1][0] == reverse("curation:edit", args=["FIL101"])
    rule = rule_of(Proposal.objects.get(rule="FIL101").version)
    assert rule.status == "draft"
    assert problems_of(rule.model_copy(update={"status": "experimental"}))


def test_a_used_id_and_a_missing_text_are_refused_with_the_answers_kept(
    sign_in: SignIn, curator: User
) -> None:
    client = sign_in(curator)
    page = client.post(address(), {**REST, **ENGLISH, "id": "FIL001"})
    assert "id" in page.context["form"].errors
    assert ENGLISH["claim_en"].encode() in page.content
    page = client.post(address(), {**REST, "other_metric": "pauses.silence_share"})
    assert {"claim_en", "other_side", "other_threshold"} <= set(page.context["form"].errors)
    assert not Proposal.objects.exists()


def test_an_own_take_becomes_a_case_with_its_number_only(
    sign_in: SignIn, curator: User, take: Rehearsal
) -> None:
    take.owner = curator
    take.save()
    own = known_of(SUBJECT["metric"], curator).own
    assert [each.title for each in own] == [take.title]
    client = sign_in(curator)
    client.post(address(), {**REST, **ENGLISH, **FRENCH, "cases": [own[0].id]})
    case = rule_of(Proposal.objects.get(rule="FIL101").version).cases[-1]
    assert case.report["measurements"][SUBJECT["metric"]]["value"] == own[0].value
    assert take.title not in case.model_dump_json()


def test_takes_of_other_people_are_no_cases(curator: User, take: Rehearsal) -> None:
    assert known_of(SUBJECT["metric"], curator).own == ()
    assert known_of(SUBJECT["metric"], curator).takes == 1


def test_only_curators_write_rules(sign_in: SignIn, trainee: User) -> None:
    client = sign_in(trainee)
    for url in (reverse("curation:new"), address()):
        assert client.get(url).status_code in {403, 404}
    assert client.post(address(), {**REST, **ENGLISH}).status_code in {403, 404}
    assert not Proposal.objects.exists()


def test_a_rule_about_any_measure_passes_its_cases(db: None) -> None:
    sides = cycle([("improvement", "above"), ("strength", "below"), ("strength", "above")])
    second = "pauses.silence_share", "gaze.camera_facing_share"
    for metric, (tone, side) in zip(offered(), sides, strict=False):
        other = {
            "other_metric": next(each for each in second if each != metric.id),
            "other_side": "above",
            "other_threshold": 0.2,
        }
        threshold = 0.4 if metric.unit == "share" else 8
        rest = {**REST, **ENGLISH, **FRENCH, **other, "side": side, "threshold": threshold}
        rule = rule_from(Answers(subject={**SUBJECT, "metric": metric.id, "tone": tone}, rest=rest))
        assert (metric.id, problems_of(rule), rule.status) == (metric.id, (), "experimental")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], ()),
        ([2.0, 2.0], ()),
        ([0.0, 0.35, 0.7], (0.1, 0.2, 0.3, 0.4, 0.5, 0.6)),
        ([3.0, 14.0], (4.0, 6.0, 8.0, 10.0, 12.0)),
    ],
)
def test_thresholds_are_round(values: list[float], expected: tuple[float, ...]) -> None:
    assert round_thresholds(values) == expected
