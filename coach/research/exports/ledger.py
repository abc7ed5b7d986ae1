"""Ledger of exports: whose data each contains, and which recipients to tell of withdrawals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.dispatch import receiver
from django.utils import timezone

from coach.accounts.models import Consent, User
from coach.audit.services import record_act
from coach.research.coding.written import names_of, without_names
from coach.research.exports.bundle.scope import Included
from coach.research.exports.models import BundleImport, Download, Export, ExportedPseudonym
from coach.research.studies.models import ConsentEvent, Participant, Pseudonym, Study
from coach.research.studies.taking_part import participant_left


def enter(
    export: Export, included: Included, *, counts: Mapping[str, int], sha256: str, size: int
) -> None:
    """Record a finished export with its people.

    Call inside the transaction that ends it, which has locked the study.
    """
    said = ConsentEvent.objects.filter(participant__study=export.study_id)
    export.newest_consent = said.aggregate(newest=Max("pk"))["newest"] or 0
    export.counts, export.sha256, export.size_bytes = dict(counts), sha256, size
    export.left_behind = [
        [table, reason, count, included.left_interviews.get(reason, [])]
        if table == "interviews"
        else [table, reason, count, []]
        for (table, reason), count in sorted((+included.left_out).items())
    ]
    export.save()
    ExportedPseudonym.objects.filter(export=export).delete()
    ExportedPseudonym.objects.bulk_create(
        ExportedPseudonym(export=export, pseudonym=person.name) for person in included.people
    )
    record_act(
        action="research.bundle_made",
        target=export,
        actor=export.asked_by,
        study=export.study.slug,
        sha256=sha256,
        recipient=export.recipient,
    )


def unreported_withdrawals(study: Study) -> QuerySet[ExportedPseudonym]:
    """Return withdrawn people in exports whose recipient was not told yet."""
    gone = Participant.objects.filter(study=study, withdrawn_at__isnull=False)
    return ExportedPseudonym.objects.filter(
        export__study=study, told_at=None, pseudonym__in=gone.values("pseudonym")
    ).select_related("export")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedCopy:
    """A copy of research data outside the site that may contain a person; without their
    pseudonym.
    """

    study: str
    """The title of the study; empty for tables without one."""
    recipient: str
    """The recipient, if known not to be a person."""
    made_on: str
    """The day, as YYYY-MM-DD."""
    delete_by: str = ""
    """Deletion date of the copy, as YYYY-MM-DD; empty if none is set."""


def copies_with(user: User, *, since: datetime | None = None) -> list[ExportedCopy]:
    """Return copies that may contain a person's data of takes since then.

    These are bundles with their pseudonym, and tables downloaded while they consented to research.
    """
    return [*_bundles_with(user, since), *_tables_with(user, since)]


def bundles_with(user: User, since: datetime | None = None) -> list[Export]:
    """Return the exports with a person's pseudonym, made since then."""
    found: list[Export] = []
    for link in Pseudonym.objects.filter(user=user).select_related("participant"):
        held = Export.objects.filter(
            study=link.study_id, pseudonyms__pseudonym=link.participant.pseudonym
        ).select_related("study")
        found += held.filter(finished_at__gte=since) if since else held
    return found


def _bundles_with(user: User, since: datetime | None) -> Iterator[ExportedCopy]:
    for each in bundles_with(user, since):
        # An undownloaded bundle has not left, and will not (`waiting.drop_with`).
        if each.downloaded_at is not None:
            made = each.finished_at or each.asked_at
            yield ExportedCopy(study=each.study.title, recipient=each.recipient, made_on=_day(made))


def _tables_with(user: User, since: datetime | None) -> Iterator[ExportedCopy]:
    agreed = Q()
    for consent in Consent.objects.filter(user=user, purpose__startswith="research"):
        until = consent.withdrawn_at or timezone.now()
        agreed |= Q(made_at__gte=consent.given_at, made_at__lte=until)
    if not agreed:
        return
    taken = Download.objects.filter(agreed)
    for each in taken.filter(made_at__gte=since) if since else taken:
        delete_by = _day(each.delete_by) if each.delete_by else ""
        yield ExportedCopy(study="", recipient="", made_on=_day(each.made_at), delete_by=delete_by)


def _day(at: datetime) -> str:
    return timezone.localtime(at).date().isoformat()


def has_withdrawn_people(export: Export) -> bool:
    """Return whether a person in the export has withdrawn, fully or in part, since it was made.

    Such an export must not be downloaded any more.
    """
    held = export.pseudonyms.values("pseudonym")
    there = Participant.objects.filter(study=export.study_id, pseudonym__in=held)
    if there.filter(withdrawn_at__isnull=False).exists():
        return True
    ended = ConsentEvent.objects.filter(participant__in=there, kind=ConsentEvent.Kind.WITHDRAWN)
    if export.newest_consent is not None:
        return ended.filter(pk__gt=export.newest_consent).exists()
    made = export.finished_at
    return made is not None and ended.filter(at__gt=made).exists()


@receiver(participant_left)
def forget_in_imports(sender: object, participant: Participant, **_more: object) -> None:
    """Redact the names of somebody who has left in the names of imported files."""
    finder = names_of(participant)
    for each in BundleImport.objects.filter(study=participant.study):
        name = without_names(each.name, finder)
        problems = [[without_names(str(part), finder) for part in row] for row in each.problems]
        BundleImport.objects.filter(pk=each.pk).update(name=name, problems=problems)


@transaction.atomic
def record_told(*, export: Export, actor: User) -> None:
    """Record that the recipient was told whose data to delete."""
    told = unreported_withdrawals(export.study).filter(export=export)
    people = list(told.values_list("pseudonym", flat=True))
    if told.update(told_at=timezone.now()):
        record_act(action="research.recipient_told", target=export, actor=actor, people=people)
