"""An item of the machine's quotes the speaker only where the speaker agreed to that."""

from __future__ import annotations

import pytest
from django.urls import reverse

from coach.accounts.models import User
from coach.feedback.models import Feedback, Item, Verdict
from coach.feedback.verdicts import decide_on_item
from coach.rehearsals.models import Rehearsal
from coach.research.exports.bundle.spec import Row
from coach.research.exports.bundle.tables.feedback import FEEDBACK_TABLES, body_of
from coach.research.studies.models import ConsentEvent, Scope, Study
from tests.coach.conftest import SignIn
from tests.coach.research.conftest import included_in
from tests.coach.research.making import agree

pytestmark = pytest.mark.django_db

QUOTED = {
    "label": "Filled pauses",
    "claim": "You said “the lake is” twice.",
    "suggestion": "Pause instead.",
    "quotes": [{"text": "the lake is deep", "start": 1.0, "end": 2.0}],
}


def told(study: Study, sent: Rehearsal, document: dict[str, object]) -> str:
    """What an export says of the item with this document."""
    item = sent.feedback.get().items.get(origin=Item.Origin.RULE)
    item.document = {**item.document, **document}
    included = included_in(study)
    (take,) = included.takes_with(Scope.FEEDBACK)
    return body_of(included, take, item)


def test_a_quote_is_told_where_the_speaker_agreed_to_words(study: Study, sent: Rehearsal) -> None:
    assert told(study, sent, QUOTED) == "You said “the lake is” twice. Pause instead."


def test_without_that_a_card_that_quotes_is_told_by_what_it_is_about(
    study: Study, sent: Rehearsal
) -> None:
    ana = study.participants.get(group="trainee")
    agree(ana, Scope.TRANSCRIPT, kind=ConsentEvent.Kind.WITHDRAWN)
    assert told(study, sent, QUOTED) == "Filled pauses"
    plain = {**QUOTED, "quotes": [], "claim": "You said “um” twice."}
    assert told(study, sent, plain) == "You said “um” twice. Pause instead."


def last_review(study: Study) -> Row:
    """What an export says of the newest decision of a coach."""
    reviews = next(table for table in FEEDBACK_TABLES if table.name == "coach_reviews")
    return list(reviews.rows(included_in(study)))[-1]


def change_the_suggestion(
    sent: Rehearsal, coach: User, sign_in: SignIn, quotes: list[dict[str, object]]
) -> None:
    """As the desk sends it: the field of the claim begins with what the card says."""
    draft = Feedback.objects.get(rehearsal=sent)
    item = draft.items.get(origin=Item.Origin.RULE)
    item.document = {**item.document, **QUOTED, "quotes": quotes}
    item.save(update_fields=["document"])
    item.verdicts.all().delete()
    url = reverse("review:verdict", args=[sent.pk, item.pk])
    typed = {
        "action": "edit",
        "wording": item.card.claim,
        "suggestion": "Say “the lake is” once.",
        "clips": "0:01-0:03",
        "note": 'They say "the lake is" on purpose.',
    }
    answer = sign_in(coach).post(url, typed)
    assert answer.status_code in {200, 302}
    assert item.verdicts.get().wording["claim"] == QUOTED["claim"]


def test_an_edit_of_a_card_that_quotes_hands_its_quote_out_to_nobody_who_may_not_read_it(
    study: Study, sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    change_the_suggestion(sent, coach, sign_in, [{"text": "the lake is", "start": 1, "end": 2}])
    told = last_review(study)
    assert told["replacement_body"] == f"{QUOTED['claim']} Say “the lake is” once."
    assert told["reason_text"] == 'They say "the lake is" on purpose.'
    ana = study.participants.get(group="trainee")
    agree(ana, Scope.TRANSCRIPT, kind=ConsentEvent.Kind.WITHDRAWN)
    told = last_review(study)
    assert (told["replacement_body"], told["reason_text"]) == ("", "")
    assert told["was_reworded"] is True


def test_an_edit_of_any_other_card_leaves_out_what_stands_in_quotation_marks(
    study: Study, sent: Rehearsal, coach: User, sign_in: SignIn
) -> None:
    change_the_suggestion(sent, coach, sign_in, [])
    ana = study.participants.get(group="trainee")
    agree(ana, Scope.TRANSCRIPT, kind=ConsentEvent.Kind.WITHDRAWN)
    told = last_review(study)
    assert told["replacement_body"] == "You said […] twice. Say […] once."
    assert told["reason_text"] == "They say […] on purpose."


def test_the_moments_of_an_edit_are_no_words(study: Study, sent: Rehearsal, coach: User) -> None:
    item = sent.feedback.get().items.get(origin=Item.Origin.RULE)
    wording = {"claim": "You paused.", "suggestion": "", "clips": [{"start": 1.0, "end": 2.0}]}
    decide_on_item(item=item, coach=coach, kind=Verdict.Kind.EDIT, wording=wording)
    assert last_review(study)["replacement_body"] == "You paused."
