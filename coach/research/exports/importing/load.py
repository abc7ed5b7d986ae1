"""Import of a whole bundle in one transaction."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from django.db import DataError, IntegrityError, transaction

from coach.accounts.models import User
from coach.audit.services import record_act
from coach.research.exports.bundle.package import digest_of
from coach.research.exports.importing.interviews import (
    CodingReferences,
    load_codebook,
    load_codings,
    load_interviews,
    load_themes,
)
from coach.research.exports.importing.people import (
    BundleLoading,
    load_answers,
    load_consents,
    load_people,
    load_takes,
)
from coach.research.exports.importing.reading import Bundle, NotABundle, open_bundle
from coach.research.studies.models import Study

_SAID = (
    "title",
    "question",
    "protocol",
    "ethics",
    "contact",
    "recipients",
    "is_synthetic",
    "is_blinded",
)


def load_bundle(*, study: Study, path: Path, actor: User | None = None) -> dict[str, int]:
    """Import a bundle into an empty study; return rows by table. Raises NotABundle and
    saves nothing.
    """
    bundle = open_bundle(path)
    try:
        with transaction.atomic():
            counts = _load(study, bundle)
            record_act(
                action="research.bundle_imported",
                target=study,
                actor=actor,
                sha256=digest_of(path),
            )
    except (KeyError, ValueError, TypeError, DataError, IntegrityError) as error:
        # The hashes match, so it was written like this: dangling references, or duplicates.
        raise NotABundle("data/") from error
    finally:
        bundle.archive.close()
    return counts


def _load(study: Study, bundle: Bundle) -> dict[str, int]:
    held = Study.objects.select_for_update().get(pk=study.pk)
    if held.participants.exists() or held.interviews.exists() or held.codes.exists():
        raise NotABundle("export_manifest.json")
    cut_off = datetime.fromisoformat(bundle.manifest["consent_cut_off"])
    # Every event that the cut-off applies to must be before it here too.
    told = (row for table in ("consents", "answers") for row in bundle.rows(table))
    days = [row["day_offset"] for row in told]
    first = (cut_off - timedelta(days=max(days, default=0) + 2)).replace(hour=12, minute=0)
    for name in _SAID:
        setattr(held, name, bundle.manifest["study"][name])
    held.planned_takes = bundle.manifest["study"].get("planned_takes")
    held.is_imported, held.state = True, Study.State.CLOSED
    held.cut_off, held.least_group = cut_off, bundle.manifest["least_group"]
    held.save()
    loading, coded = BundleLoading(study=held, bundle=bundle, first=first), CodingReferences()
    load_people(loading)
    load_consents(loading)
    load_answers(loading)
    counts = load_takes(loading)
    load_interviews(loading, coded)
    load_codebook(loading, coded)
    load_themes(loading, coded)
    counts["codings"] = load_codings(loading, coded)
    return counts | {"participants": len(loading.people), "interviews": len(coded.texts)}
