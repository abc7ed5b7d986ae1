"""The editor as a curator meets it: nothing lost, nothing saved by looking, nobody's take shown."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from coach.accounts.models import Purpose, User
from coach.accounts.services import give_consent, withdraw_consent
from coach.curation.models import Proposal
from coach.curation.services import send_back
from coach.feedback.models import Run
from coach.rehearsals.models import Rehearsal, Viewing
from coach.rulesets.models import RuleVersion
from feedback_rules.model.wording import LEAST_WORDS, MOST_WORDS
from tests.coach.conftest import SignIn
from tests.coach.curation.forms import form_on
from tests.coach.curation.steps import EDIT, leaving_figures, opened, pressed, proposed
from tests.coach.factories import RehearsalFactory, finish_analysis
from tests.feedback_rules.reports import shipped

pytestmark = [pytest.mark.usefixtures("release"), pytest.mark.slow]


def test_the_form_says_how_long_a_card_may_be(curator: User, sign_in: SignIn) -> None:
    page = sign_in(curator).get(EDIT).content.decode()
    most = (LEAST_WORDS, MOST_WORDS["en"], MOST_WORDS["fr"])
    said = "at least {} words, and at most {} in English and {} in French".format(*most)
    assert said in page


@pytest.mark.parametrize("rule", ["FIL001", "GAZ001", "POS004", "PAC003", "WRD003", "TIM010"])
def test_saving_what_was_opened_changes_nothing(rule: str, curator: User, sign_in: SignIn) -> None:
    client, url = sign_in(curator), reverse("curation:edit", args=[rule])
    form = opened(client, url) | {"why": ["Nothing."]}
    assert "Nothing was changed" in pressed(client, form, "save", url)
    assert not Proposal.objects.exists()


def test_a_raised_threshold_is_adapted_in_one_click_and_proposed_in_another(
    curator: User, sign_in: SignIn
) -> None:
    client = sign_in(curator)
    form = opened(client) | {"when|all|0|value": ["6"]}
    page = pressed(client, form, "look")
    assert "This case fails" in page
    assert "This case was exactly on the threshold that you moved" in page
    assert "None of its cases gives a card." in page
    page = pressed(client, form, "adapt")
    form = form_on(page) | {"why": ["Rejected at five."]} | leaving_figures(page)
    page = pressed(client, form, "save")
    assert "Saved as a proposal" in page
    assert "All cases and texts pass" in page
    assert "On its case “lower end exactly at five”, in French" in page
    assert "Current card" in page
    version = RuleVersion.objects.get(rule="FIL001", number=shipped("FIL001") + 1)
    assert (version.author, version.why) == (curator, "Rejected at five.")
    assert version.base == RuleVersion.objects.get(rule="FIL001", number=shipped("FIL001"))


def test_cases_left_behind_by_a_proposal_can_be_moved_in_a_later_sitting(
    curator: User, sign_in: SignIn
) -> None:
    client = sign_in(curator)
    form = opened(client) | {"when|all|0|value": ["6"], "why": ["Rejected at five."]}
    form |= leaving_figures(pressed(client, form, "look"))
    assert "fails" in pressed(client, form, "save")
    later = client.get(EDIT).content.decode()
    assert f"starts from version {shipped('FIL001') + 1}" in later
    assert "Set all to the new threshold" in later
    form = form_on(pressed(client, form_on(later), "adapt")) | {"why": ["The cases too."]}
    assert form["severity|edge"] == ["6"]
    assert "All cases and texts pass" in pressed(client, form, "save")
    assert "Set all to the new threshold" not in client.get(EDIT).content.decode()


def test_one_case_alone_can_be_set_to_the_new_threshold(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    form = opened(client) | {"when|all|0|value": ["6"]}
    form = form_on(pressed(client, form, "adapt|2"))
    lower = "cases|{}|report|measurements|fillers.filled_pauses_per_minute|interval|0"
    assert form[lower.format(2)] == ["6"]
    assert form[lower.format(0)] == ["6"]
    assert form["severity|edge"] == ["5"]


def test_looking_saves_nothing_and_names_each_problem_beside_its_field(
    curator: User, sign_in: SignIn
) -> None:
    client = sign_in(curator)
    form = opened(client) | {"severity|width": ["wide"], "message|en|why": ["That is bad."]}
    page = client.post(reverse("curation:check", args=["FIL001"]), form).content.decode()
    assert 'id="f-severity-width-problems" data-problems hx-swap-oob="true"' in page
    assert page.count(" data-problems ") == page.count('class="errorlist"') == 1
    assert "Write a number" in page
    assert RuleVersion.objects.filter(rule="FIL001").count() == 1


def test_a_change_needs_a_reason_and_keeps_what_was_written(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    form = opened(client) | {"title": ["Mine"]}
    page = pressed(client, form, "save")
    assert "Say in one sentence why" in page.partition('class="studio__side"')[2]
    assert form_on(page)["title"] == ["Mine"]


def test_what_is_no_rule_is_not_saved_and_not_lost(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    form = opened(client) | {"title": [""], "message|en|claim": ["Kept."], "why": ["x"]}
    page = pressed(client, form, "save")
    assert 'role="alert"' in page
    assert form_on(page)["message|en|claim"] == ["Kept."]
    assert not Proposal.objects.exists()


def test_two_who_edit_the_same_rule_find_both_changes_in_the_form(
    curator: User, second_curator: User, sign_in: SignIn
) -> None:
    client = sign_in(curator)
    form = opened(client) | {"severity|width": ["8"], "why": ["Wider."]}
    proposed(second_curator, title="Theirs")
    page = pressed(client, form, "save")
    assert f"Emil saved version {shipped('FIL001') + 1} while you were writing" in page
    both = form_on(page)
    theirs = [str(shipped("FIL001") + 1)]
    assert (both["title"], both["severity|width"], both["base"]) == (["Theirs"], ["8"], theirs)
    assert both["why"] == ["Wider."]
    ours = shipped("FIL001") + 2
    assert not RuleVersion.objects.filter(number=ours, rule="FIL001").exists()
    assert "Saved as a proposal" in pressed(client, both, "save")
    version = RuleVersion.objects.get(rule="FIL001", number=ours)
    assert "title: Theirs" in version.text
    assert version.document["severity"]["width"] == 8


def test_a_rule_is_tried_only_on_takes_whose_owner_agreed_and_they_see_it(
    take: Rehearsal, trainee: User, curator: User, sign_in: SignIn
) -> None:
    client, check = sign_in(curator), reverse("curation:check", args=["FIL001"])
    run = take.runs.get()
    form = opened(client) | {"preview_on": [str(run.pk)]}
    assert str(run.pk) not in client.get(EDIT).content.decode()
    before = client.post(check, form).content.decode()
    give_consent(user=trainee, purpose=Purpose.RULE_PREVIEW)
    listed = client.get(EDIT).content.decode()
    assert str(run.pk) in listed
    assert take.title not in listed
    assert trainee.email not in listed
    page = client.post(check, form).content.decode()
    assert page.count('class="preview"') == before.count('class="preview"') + 2
    assert ", in French" in page
    assert "Vous avez souvent dit" in page
    assert Viewing.objects.get(rehearsal=take).what == "rule_preview"
    withdraw_consent(user=trainee, purpose=Purpose.RULE_PREVIEW)
    again = client.post(check, form).content.decode()
    assert again.count('class="preview"') == before.count('class="preview"')


def test_takes_of_one_length_and_kind_are_told_apart_by_place_and_day(
    take: Rehearsal, trainee: User, curator: User, sign_in: SignIn
) -> None:
    give_consent(user=trainee, purpose=Purpose.RULE_PREVIEW)
    twin = RehearsalFactory(owner=trainee)
    finish_analysis(twin)
    Rehearsal.objects.filter(pk=take.pk).update(created_at=datetime(2026, 3, 1, 12, tzinfo=UTC))
    Run.objects.filter(rehearsal=take).update(created_at=datetime(2026, 3, 1, 12, tzinfo=UTC))
    page = sign_in(curator).get(EDIT).content.decode()
    labels = re.findall(r'<option value="[0-9a-f-]{36}">([^<]+)</option>', page)
    assert len(labels) == len(set(labels)) == 2
    assert labels[0].startswith("1 · ")
    assert labels[1].startswith("2 · 1 March 2026 · A take of 3:00: ")
    assert trainee.name not in "".join(labels)


@pytest.mark.parametrize(
    ("place", "typed"),
    [
        ("report|duration", "soon"),
        ("report|duration", "-1"),
        ("report|measurements|fillers.filled_pauses_per_minute|value", ""),
        ("report|measurements|fillers.filled_pauses_per_minute|n", "many"),
        ("report|events|0|start", "early"),
        ("report|events|0|end", "1"),
        ("report|events|0|probability", "9"),
    ],
)
def test_what_is_typed_into_a_case_is_answered_beside_its_field(
    curator: User, sign_in: SignIn, place: str, typed: str
) -> None:
    client = sign_in(curator)
    form = {**opened(client), f"cases|0|{place}": [typed], "why": "Because."}
    check = reverse("curation:check", args=["FIL001"])
    for answer in (client.post(check, form), client.post(EDIT, {**form, "do": "save"})):
        assert answer.status_code == 200
        assert "1 problem to fix before" in answer.content.decode()
        assert answer.content.decode().count('class="errorlist"') == 1
    assert not Proposal.objects.exists()


def test_forms_of_nobody_are_refused_as_what_they_are(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    form = opened(client)
    assert client.post(EDIT, {**form, "do": "explode"}).status_code == 400
    assert client.post(EDIT, {**form, "document": "no"}).status_code == 400
    assert client.post(EDIT, {**form, "base": "99"}).status_code == 404
    assert client.post(EDIT, {**form, "base": "x"}).status_code == 404


def test_what_was_sent_back_is_gone_on_with_from_where_it_was(
    curator: User, second_curator: User, sign_in: SignIn
) -> None:
    send_back(proposal=proposed(curator), curator=second_curator, reason="Name a source.")
    client = sign_in(curator)
    page = client.get("/rules/").content.decode()
    assert f"Emil sent FIL001, version {shipped('FIL001') + 1} back: Name a source." in page
    form = opened(client, f"{EDIT}?from={shipped('FIL001') + 1}")
    assert (form["title"], form["base"]) == (["Another title"], [str(shipped("FIL001"))])
    assert "Saved as a proposal" in pressed(client, form | {"why": ["Again."]}, "save")
    assert "sent FIL001" not in client.get("/rules/").content.decode()


def test_a_new_rule_begins_silent_as_a_copy_under_a_free_id(curator: User, sign_in: SignIn) -> None:
    client = sign_in(curator)
    page = client.post("/rules/FIL001/begin/", {"id": "fil099"}, follow=True).content.decode()
    assert form_on(page)["status"] == ["draft"]
    version = RuleVersion.objects.get(rule="FIL099")
    assert (version.author_name, version.document["author"]) == ("Dora", "The curators here")
    assert "FIL099" in client.get("/rules/?state=open").content.decode()
    for taken in ("FIL001", "nonsense"):
        page = client.post("/rules/FIL001/begin/", {"id": taken}, follow=True).content.decode()
        assert "needs an unused id" in page
