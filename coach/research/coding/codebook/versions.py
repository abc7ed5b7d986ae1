"""Saved versions of the codebook: immutable documents and their differences."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.coding.codebook.services import WORDS, hold_codebook, said_by
from coach.research.coding.codebook.tree import in_order
from coach.research.coding.models import Code, CodebookVersion
from coach.research.studies.models import Study

Document = list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Change of one code between two versions."""

    name: str
    kind: str
    """`added`, `gone`, `moved` or `changed`."""
    was: str = ""
    """The name before, where it is another one."""
    fields: tuple[str, ...] = ()


def document_of(study: Study) -> Document:
    """Return the current codebook: each code's guid, parent, fields and state, in tree order."""
    branches = in_order(Code.objects.filter(study=study).select_related("parent", "merged_into"))
    return [
        {
            "guid": str(code.guid),
            "parent": str(code.parent.guid) if code.parent else "",
            "depth": depth,
            "merged_into": str(code.merged_into.guid) if code.merged_into else "",
            **said_by(code),
        }
        for code, depth in branches
    ]


def digest_of(document: Document) -> str:
    """Return the SHA-256 of a document, serialised canonically."""
    spelled = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(spelled.encode()).hexdigest()


def differences(before: Document, after: Document) -> list[Difference]:
    """Return the changes: first those in `after`, in its order, then deleted codes."""
    old = {each["guid"]: each for each in before}
    found = [each for code in after if (each := _difference(old.pop(code["guid"], None), code))]
    return found + [Difference(name=code["name"], kind="gone") for code in old.values()]


def _difference(was: dict[str, Any] | None, code: dict[str, Any]) -> Difference | None:
    if was is None:
        return Difference(name=code["name"], kind="added")
    fields = tuple(name for name in WORDS if was.get(name) != code.get(name))
    if not fields and was.get("parent", "") == code.get("parent", ""):
        return None
    before = was["name"] if was["name"] != code["name"] else ""
    kind = "changed" if fields else "moved"
    return Difference(name=code["name"], kind=kind, was=before, fields=fields)


def newest_version(study: Study) -> CodebookVersion | None:
    """Return the newest saved version; None if there is none."""
    return CodebookVersion.objects.filter(study=study).order_by("-number").first()


def unkept(study: Study) -> list[Difference]:
    """Return the changes since the newest version; all codes if there is none."""
    last = newest_version(study)
    return differences(last.document if last else [], document_of(study))


@transaction.atomic
def keep_version(*, study: Study, note: str, actor: User | None) -> CodebookVersion:
    """Save the codebook as a new version. Raises ValidationError if nothing has changed.

    A version never changes: rounds refer to the one that they were coded with.
    """
    hold_codebook(study)
    last, document = newest_version(study), document_of(study)
    if not document:
        raise ValidationError(_("There are no codes yet."))
    if last is not None and last.digest == digest_of(document):
        raise ValidationError(_("Nothing has changed since the last version."))
    made = CodebookVersion.objects.create(
        study=study,
        number=last.number + 1 if last else 1,
        document=document,
        digest=digest_of(document),
        note=note,
        by=actor,
    )
    record_act(
        action="research.codebook_kept",
        target=made,
        actor=actor,
        number=made.number,
        sha256=made.digest,
    )
    return made
