"""What is deleted or taken back in the very moment in which a bundle ends or is fetched."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event

import pytest
from django.core.exceptions import ValidationError

from coach.accounts.models import Purpose, User
from coach.accounts.services import give_consent
from coach.portal.models import Receipt
from coach.portal.personal.consents import take_back_consent
from coach.portal.personal.erasure import erase_person
from coach.portal.receipts.services import delete_take
from coach.rehearsals.models import Rehearsal
from coach.research.exports import execution
from coach.research.exports.bundle.scope import Included, last_change
from coach.research.exports.execution import execute_export, expire
from coach.research.exports.models import Export
from coach.research.exports.services import take_bundle
from coach.research.studies.models import Scope, Study
from coach.research.studies.selectors import participant_of
from coach.research.studies.taking_part import leave_study, record_consents
from tests.coach.crossing import Act, in_the_middle_of, on_its_own, waits

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_broker")]


@pytest.fixture
def asked(study: Study, researcher: User) -> Export:
    """A bundle that nobody has begun to make."""
    return Export.objects.create(
        study=study,
        asked_by=researcher,
        recipient="A university",
        agreement="2026-1",
        cut_off=last_change(study),
    )


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as made:
        yield made


def takes_that_wait(export: Export) -> int:
    """How many takes are in what can be fetched now."""
    expire()
    export.refresh_from_db()
    can_be_fetched = export.state == Export.State.DONE and export.removed_at is None
    return export.counts["rehearsals"] if can_be_fetched else 0


def acts(user: User, sent: Rehearsal, study: Study) -> dict[str, Act]:
    participant = participant_of(user, study)
    assert participant is not None
    give_consent(user=user, purpose=Purpose.RESEARCH_MEASUREMENTS)
    return {
        "deletes": lambda: delete_take(rehearsal=sent),
        "is erased": lambda: erase_person(user=user),
        "leaves": lambda: leave_study(participant=participant, actor=user),
        "takes back in the study": lambda: record_consents(
            user=user, study=study, answers={Scope.MEASUREMENTS: False}
        ),
        "takes back everywhere": lambda: take_back_consent(
            user=user, purpose=Purpose.RESEARCH_MEASUREMENTS
        ),
    }


HOW = ["deletes", "is erased", "leaves", "takes back in the study", "takes back everywhere"]


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Set once a worker has made a bundle and begins to publish it."""
    begun, conclude = Event(), execution._conclude

    def told(*args: object, **more: object) -> None:
        begun.set()
        conclude(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(execution, "_conclude", told)
    return begun


@pytest.mark.parametrize("how", HOW)
def test_a_bundle_that_ends_while_somebody_takes_something_back_is_made_anew_without_it(
    how: str, asked: Export, study: Study, sent: Rehearsal, pool: ThreadPoolExecutor, ends: Event
) -> None:
    act = acts(sent.owner, sent, study)[how]
    with in_the_middle_of(act, pool):
        made = pool.submit(on_its_own(lambda: execute_export(asked.pk)))
        assert ends.wait(60)
        assert waits(made)
    made.result(timeout=60)
    assert takes_that_wait(asked) == 0
    execute_export(asked.pk)
    asked.refresh_from_db()
    assert (asked.state, asked.counts["rehearsals"]) == ("done", 0)


@pytest.mark.parametrize("how", HOW)
def test_what_somebody_takes_back_while_a_bundle_ends_takes_the_bundle_along(
    how: str,
    asked: Export,
    study: Study,
    sent: Rehearsal,
    pool: ThreadPoolExecutor,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    act = acts(sent.owner, sent, study)[how]
    still_there, looked, may_end = execution._is_scope_intact, Event(), Event()

    def slowly(included: Included) -> bool:
        answer = still_there(included)
        looked.set()
        assert may_end.wait(60)
        return answer

    monkeypatch.setattr(execution, "_is_scope_intact", slowly)
    made = pool.submit(on_its_own(lambda: execute_export(asked.pk)))
    try:
        assert looked.wait(60)
        back = pool.submit(on_its_own(act))
        assert waits(back)
    finally:
        may_end.set()
    for each in (made, back):
        each.result(timeout=60)
    asked.refresh_from_db()
    assert asked.state == "done"
    assert takes_that_wait(asked) == 0


def test_a_receipt_names_the_copy_that_is_fetched_at_the_same_moment(
    asked: Export, sent: Rehearsal, researcher: User, pool: ThreadPoolExecutor
) -> None:
    execute_export(asked.pk)
    fetch = partial(take_bundle, export=asked, researcher=researcher)
    with in_the_middle_of(lambda: b"".join(fetch()), pool):
        back = pool.submit(on_its_own(lambda: delete_take(rehearsal=sent)))
        assert waits(back)
    back.result(timeout=60)
    assert [each["recipient"] for each in Receipt.objects.get().copies] == ["A university"]
    asked.refresh_from_db()
    assert (asked.removed_at, asked.downloaded_by) == (None, researcher)


def test_what_is_deleted_at_the_moment_of_fetching_is_not_fetched(
    asked: Export, sent: Rehearsal, researcher: User, pool: ThreadPoolExecutor
) -> None:
    execute_export(asked.pk)
    with in_the_middle_of(lambda: delete_take(rehearsal=sent), pool):
        fetch = partial(take_bundle, export=asked, researcher=researcher)
        fetched = pool.submit(on_its_own(fetch))
        assert waits(fetched)
    with pytest.raises(ValidationError):
        fetched.result(timeout=60)
    assert Receipt.objects.get().copies == []


def test_what_is_taken_back_at_the_moment_of_fetching_is_not_fetched_either(
    asked: Export, sent: Rehearsal, study: Study, researcher: User, pool: ThreadPoolExecutor
) -> None:
    execute_export(asked.pk)
    with in_the_middle_of(acts(sent.owner, sent, study)["takes back everywhere"], pool):
        fetch = partial(take_bundle, export=asked, researcher=researcher)
        fetched = pool.submit(on_its_own(fetch))
        assert waits(fetched)
    with pytest.raises(ValidationError):
        fetched.result(timeout=60)
