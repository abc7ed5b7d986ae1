"""An item of the machine's quotes the speaker only where the speaker agreed to that."""

from __future__ import annotations

import pytest

from coach.feedback.models import Item
from coach.rehearsals.models import Rehearsal
from coach.research.exports.bundle.tables.feedback import body_of
from coach.research.studies.models import ConsentEvent, Scope, Study
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
