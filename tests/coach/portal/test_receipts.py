"""A receipt names what is gone and proves it, tells of earlier copies, and names nobody."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from coach.accounts.models import Purpose, User
from coach.accounts.services import give_consent
from coach.feedback.models import Feedback
from coach.portal.models import Receipt
from coach.portal.receipts.page import receipt_page
from coach.portal.receipts.services import KEPT_DAYS, forget_receipts
from coach.rehearsals.models import Rehearsal, Removal
from coach.research.exports.downloads import BY_NAME, export
from tests.coach.conftest import SignIn

Commit = pytest.FixtureRequest


def delete(take: Rehearsal, owner: User, sign_in: SignIn) -> tuple[Client, Receipt]:
    client = sign_in(owner)
    answer = client.post(reverse("portal:delete_take", args=[take.pk]), {"confirm": "yes"})
    receipt = Receipt.objects.get()
    assert answer.headers["Location"] == reverse("portal:receipt", args=[receipt.pk])
    return client, receipt


def test_a_deleted_take_leaves_a_receipt_that_counts_and_looks_again(
    draft: Feedback,
    trainee: User,
    sign_in: SignIn,
    django_capture_on_commit_callbacks: Commit,
) -> None:
    take = Rehearsal.objects.get(pk=draft.rehearsal_id)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        client, receipt = delete(take, trainee, sign_in)
    assert receipt.rows["rehearsals.Rehearsal"] == 1
    assert receipt.rows["feedback.Item"] >= 1
    assert receipt.rows_left == 0
    page = receipt_page(receipt)
    assert page.is_proven
    assert "none is left" in page.files
    html = client.get(reverse("portal:receipt", args=[receipt.pk])).content.decode()
    assert "no row is left" in html
    assert "None: no research copy" in html
    stored = json.loads(client.get(reverse("portal:receipt_file", args=[receipt.pk])).content)
    assert (stored["rows_found"], stored["files_found"]) == (0, 0)
    assert stored["files"][0]["proven_gone_at"]
    for named in (trainee.name, trainee.email, take.title, str(trainee.pseudonym)):
        assert named not in json.dumps(stored)


def test_what_custody_still_has_to_remove_is_not_called_gone(
    take: Rehearsal, trainee: User, sign_in: SignIn
) -> None:
    _client, receipt = delete(take, trainee, sign_in)  # its transaction never ends: nothing goes
    assert Removal.objects.get().proven_at is None
    page = receipt_page(receipt)
    assert not page.is_proven
    assert "We try again until we can confirm it" in page.files


def test_it_names_the_copies_that_left_while_one_agreed(
    take: Rehearsal, trainee: User, researcher: User, sign_in: SignIn
) -> None:
    give_consent(user=trainee, purpose=Purpose.RESEARCH_MEASUREMENTS)
    export(researcher=researcher, chosen=BY_NAME["measurements.csv"])
    client, receipt = delete(take, trainee, sign_in)
    assert len(receipt.copies) == 1
    html = client.get(reverse("portal:receipt", args=[receipt.pk])).content.decode()
    assert "a file that a researcher downloaded" in html


def test_nobody_else_reads_the_receipt_of_a_take(
    take: Rehearsal, trainee: User, stranger: User, sign_in: SignIn
) -> None:
    _client, receipt = delete(take, trainee, sign_in)
    for name in ("receipt", "receipt_file"):
        address = reverse(f"portal:{name}", args=[receipt.pk])
        assert sign_in(stranger).get(address).status_code == 404
        assert Client().get(address).status_code == 404
    listed = sign_in(trainee).get(reverse("portal:privacy")).content.decode()
    assert reverse("portal:receipt", args=[receipt.pk]) in listed


def test_whoever_deletes_everything_reads_the_receipt_without_an_account(
    take: Rehearsal,
    trainee: User,
    sign_in: SignIn,
    django_capture_on_commit_callbacks: Commit,
) -> None:
    client = sign_in(trainee)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        answer = client.post(reverse("portal:erase"), {"confirm": "erase"}).content.decode()
    receipt = Receipt.objects.get()
    assert (receipt.owner, receipt.what, receipt.takes) == (None, "everything", [take.pk])
    assert receipt.rows["accounts.User"] == 1
    address = reverse("portal:receipt", args=[receipt.pk])
    assert address in answer
    page = Client().get(address).content.decode()
    assert "All data of a person was deleted" in page
    assert "your consent to take part in a study" in page
    assert trainee.email not in page
    assert receipt_page(receipt).is_proven


@pytest.mark.django_db
def test_receipts_go_after_their_time() -> None:
    old = Receipt.objects.create(what="everything")
    Receipt.objects.filter(pk=old.pk).update(made_at=timezone.now() - timedelta(days=KEPT_DAYS + 1))
    Receipt.objects.create(what="everything")
    assert forget_receipts() == 1
    assert Receipt.objects.count() == 1
