"""Transcripts and recordings for download, each with its own consent."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from coach.accounts.models import Purpose, User
from coach.feedback.pages.transcript import transcript
from coach.feedback.reports import report_of
from coach.lib.files.streamed_zip import Member, streamed_zip
from coach.rehearsals.models import Rehearsal
from coach.research.exports.selectors import (
    month_of,
    people_who_agree,
    pseudonym_of,
    rehearsals_for_research,
    runs_for_research,
)
from coach.storage import Gone, places, storage

TRANSCRIPT_COLUMNS = (
    "person",
    "rehearsal",
    "month",
    "constructed",
    "language",
    "start_s",
    "end_s",
    "text",
    "may_quote",
)
_SAID = {"word", "filler", "filler_word", "unsure"}


def transcript_rows(researcher: User) -> Iterator[dict[str, Any]]:
    """Yield one row for each transcribed sentence, with whether it may be quoted."""
    quotable = people_who_agree(Purpose.RESEARCH_QUOTES)
    for run in runs_for_research(researcher, Purpose.RESEARCH_TRANSCRIPT).iterator(chunk_size=20):
        take = run.rehearsal
        about = {
            "person": str(take.owner.pseudonym),
            "rehearsal": pseudonym_of(take.pk),
            "month": month_of(take.created_at),
            "constructed": take.is_constructed,
            "language": take.language,
            "may_quote": take.owner_id in quotable,
        }
        for line in transcript(report_of(run)):
            words = [word for word in line.words if word.kind in _SAID]
            if words:
                yield {
                    **about,
                    "start_s": round(words[0].start, 2),
                    "end_s": round(words[-1].end, 2),
                    "text": " ".join(word.text for word in words),
                }


def recordings_of(researcher: User) -> Iterator[bytes]:
    """Yield a ZIP archive of the permitted recordings, by the pseudonyms of the tables.

    A recording is one file: if it has a picture, its owner has consented to sound and picture.
    """
    return streamed_zip(_recordings(researcher))


def _recordings(researcher: User) -> Iterator[Member]:
    index = io.StringIO()
    table = csv.writer(index)
    table.writerow(("person", "rehearsal", "file", "has_picture"))
    asked = rehearsals_for_research(researcher, Purpose.RESEARCH_AUDIO)
    for key in list(asked.values_list("pk", flat=True)):
        # Gigabytes take hours: consent withdrawn during the download takes effect at once.
        take = asked.filter(pk=key).first()
        if take is None or not _may_leave(take):
            continue
        person = str(take.owner.pseudonym)
        # The copy contains only picture and sound; the original's metadata may identify the
        # speaker.
        held = places.copy_to_play(take.pk)
        name = f"{person}/{pseudonym_of(take.pk)}.{take.playback_type.partition('/')[2]}"
        table.writerow((person, pseudonym_of(take.pk), name, take.has_video))
        yield name, _pieces(held)
    yield "recordings.csv", [index.getvalue().encode()]


def _may_leave(take: Rehearsal) -> bool:
    if not take.has_copy or storage().size(places.copy_to_play(take.pk)) is None:
        return False
    return not take.has_video or take.owner_id in people_who_agree(Purpose.RESEARCH_VIDEO)


def _pieces(name: str) -> Iterator[bytes]:
    try:
        yield from storage().read(name)
    except Gone:  # deleted meanwhile: what came before stands
        return
