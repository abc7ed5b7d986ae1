"""A deletion receipt as a page and as a file."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from coach.lib.words.dates import date_words
from coach.lib.words.punctuation import within_quotes
from coach.portal.models import Receipt
from coach.portal.receipts.services import found_now, objects_now, removals_of

_OF_APP: dict[str, str | Promise] = {
    "rehearsals": gettext_lazy("takes, uploads, who could see them and who opened them"),
    "feedback": gettext_lazy("analyses with their steps, reports, feedback and comments on it"),
    "practice": gettext_lazy("practice"),
    "review": gettext_lazy("coaches’ work on takes"),
    "rubric": gettext_lazy("coaches’ ratings"),
    "second": gettext_lazy("second opinions"),
    "guests": gettext_lazy("guest links and guests’ comments"),
    "notices": gettext_lazy("notices"),
    "curation": gettext_lazy("examples for rules"),
    "research": gettext_lazy("your links to studies"),
    "accounts": gettext_lazy("your account, groups and consents"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptPage:
    """Content of a receipt."""

    key: str
    is_everything: bool
    made: str
    takes: str
    rows: tuple[tuple[str, int], ...]
    """In words, what went, and how many rows of the database."""
    found: str
    """That nothing is left of it in the database, looked for just now; or what is."""
    files: str
    """What became of the files."""
    is_proven: bool
    copies: tuple[str, ...]


def receipt_page(receipt: Receipt) -> ReceiptPage:
    """Return the page of a receipt, with a fresh check of what is left."""
    by_words: Counter[str] = Counter()
    for label, count in receipt.rows.items():
        words = _OF_APP.get(label.split(".", 1)[0].lower(), gettext_lazy("related records"))
        by_words[str(words)] += count
    left = sum(found_now(receipt).values()) + receipt.rows_left
    files, files_gone = _files(receipt)
    takes = len(receipt.takes)
    return ReceiptPage(
        key=str(receipt.pk),
        is_everything=receipt.what == Receipt.What.EVERYTHING,
        made=date_words(receipt.made_at),
        takes=ngettext("%(count)s take", "%(count)s takes", takes) % {"count": takes},
        rows=tuple(by_words.most_common()),
        found=_found(left),
        files=files,
        is_proven=files_gone and not left,
        copies=tuple(_copy(each) for each in receipt.copies),
    )


def _found(left: int) -> str:
    if left == 0:
        return _("We have just checked: no row is left, and no analysis step is waiting.")
    words = ngettext(
        "We have just checked: %(count)s row is still there. Please tell an administrator.",
        "We have just checked: %(count)s rows are still there. Please tell an administrator.",
        left,
    )
    return words % {"count": left}


def _files(receipt: Receipt) -> tuple[str, bool]:
    """Return the state of the files in words, and whether they are certainly deleted."""
    left, removals = objects_now(receipt), list(removals_of(receipt))
    removed = sum(each.objects_removed for each in removals)
    if left is None:
        return _("We cannot reach the stored recordings at the moment. Check again later."), False
    if left or any(each.proven_at is None for each in removals):
        return _("Files are being deleted. We try again until we can confirm it."), False
    words = ngettext(
        "%(count)s file was deleted. We have just checked: none is left.",
        "%(count)s files were deleted. We have just checked: none is left.",
        removed,
    )
    return words % {"count": removed}, True


def _copy(copy: dict[str, str]) -> str:
    if copy["study"]:
        return _("%(day)s: data of the study “%(study)s”, handed to %(recipient)s") % {
            "day": copy["made_on"],
            "study": within_quotes(copy["study"]),
            "recipient": copy["recipient"],
        }
    if copy["delete_by"]:
        return _("%(day)s: a file that a researcher downloaded, to be deleted by %(until)s") % {
            "day": copy["made_on"],
            "until": copy["delete_by"],
        }
    return _("%(day)s: a file that a researcher downloaded") % {"day": copy["made_on"]}


def receipt_file(receipt: Receipt) -> str:
    """Return the receipt as JSON: the content of the page, with table names."""
    page = receipt_page(receipt)
    document: dict[str, Any] = {
        "receipt": page.key,
        "deleted": receipt.what,
        "deleted_at": receipt.made_at.isoformat(),
        "takes": [str(take) for take in receipt.takes],
        "recordings_of_interviews": [str(each) for each in receipt.interviews],
        "database_rows_deleted": receipt.rows,
        "files": [
            {
                "place": each.place,
                "objects_removed": each.objects_removed,
                "proven_gone_at": each.proven_at.isoformat() if each.proven_at else None,
            }
            for each in removals_of(receipt)
        ],
        "copies_that_left_before": receipt.copies,
        "looked_again_at": timezone.now().isoformat(),
        "rows_found": sum(found_now(receipt).values()) + receipt.rows_left,
        "files_found": objects_now(receipt),
    }
    return json.dumps(document, ensure_ascii=False, indent=1)
