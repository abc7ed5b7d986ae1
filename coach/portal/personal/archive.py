"""ZIP archive of all of a person's data with recordings, streamed while it is built.

No temporary file is written, and however long the recordings are, a few hundred kilobytes are in
memory at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from mimetypes import guess_extension
from pathlib import PurePath

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import override

from coach.accounts.models import User
from coach.feedback.pages.transcript import captions
from coach.feedback.reports import report_of
from coach.feedback.selectors import latest_report_run
from coach.lib.files.streamed_zip import streamed_zip
from coach.portal.personal.own_data import own_data_pieces
from coach.rehearsals.kinds import Kind
from coach.rehearsals.models import Rehearsal
from coach.rehearsals.selectors import own_rehearsals_for
from coach.review.spoken.models import SpokenReply
from coach.review.spoken.page import captions_of
from coach.review.spoken.selectors import released_replies, replies_spoken_by
from coach.storage import Gone, places, storage

_TITLE_LETTERS = 40
_KIND = re.compile(r"\.[a-z0-9]{1,5}")


def archive_of(user: User) -> Iterator[bytes]:
    """Yield the archive piece by piece: `my-data.json`, and a folder for each take and exercise."""
    return streamed_zip(_members(user))


def _members(user: User) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield "read-me.txt", [_read_me(user).encode()]
    yield "my-data.json", own_data_pieces(user)
    for take in own_rehearsals_for(user).order_by("created_at"):
        folder = _folder(take)
        yield from _of_take(take, folder)
        short = Rehearsal.any_kind.filter(parent=take, kind__in=(Kind.AGAIN, Kind.ANSWER))
        for each in short.order_by("created_at"):
            yield from _of_take(each, f"{folder}/{each.kind}-{str(each.pk)[:8]}")
        yield from _of_replies(released_replies(take), folder)
    yield from _of_replies(replies_spoken_by(user), "spoken-replies")
    exercises = Rehearsal.any_kind.filter(owner=user, kind=Kind.EXERCISE)
    for exercise in exercises.order_by("created_at"):
        yield from _of_take(exercise, _folder(exercise, "exercises"))


def _read_me(user: User) -> str:
    """Return a description of the archive for readers who have never opened a JSON file."""
    with override(user.language):  # it is made while it is sent, when the page is over
        return "\n\n".join(_read_me_sentences()) + "\n"


def _read_me_sentences() -> tuple[str, ...]:
    return (
        _("This is the data that Rostrum stores about you and your takes."),
        _(
            "Each folder in “takes” is one take: “recording” plays in any player, "
            "“transcript.vtt” contains the words with their times and opens in any text editor, "
            "“report.json” contains the measures."
        ),
        _("Each folder in “exercises” is one recorded exercise."),
        _("“spoken-replies” contains what you recorded as a coach."),
        _(
            "“my-data.json” contains the rest: your entries and consents, messages from coaches "
            "and guests, who opened your takes, and your activity here. A browser shows it as a "
            "list that you can expand; its headings are in English."
        ),
        _("It does not include what coaches write for each other or about the rules."),
        _("Times are in UTC: year, month, day, then the hour."),
        _("The privacy page shows when each take will be deleted."),
    )


def _of_take(take: Rehearsal, folder: str) -> Iterator[tuple[str, Iterable[bytes]]]:
    run = latest_report_run(take)
    if run is not None:
        report = report_of(run)
        yield f"{folder}/report.json", [report.model_dump_json(indent=1).encode()]
        yield f"{folder}/transcript.vtt", [captions(report).encode()]
    name = places.original(take.pk) if take.has_original else take.plays
    if take.media_removed_at is not None or storage().size(name) is None:
        words = _("The recording has been deleted. Its results are still here.")
        yield f"{folder}/recording.txt", [words.encode()]
        return
    yield f"{folder}/recording{_suffix(take)}", _recording(name)


def _of_replies(
    replies: Iterable[SpokenReply], folder: str
) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield each spoken reply that plays, with its captions."""
    for reply in replies:
        name = f"{folder}/spoken-reply-{str(reply.pk)[:8]}"
        if reply.has_copy and storage().size(reply.plays) is not None:
            yield f"{name}{guess_extension(reply.playback_type) or ''}", _recording(reply.plays)
        if reply.words:
            yield f"{name}.vtt", [captions_of(reply).encode()]


def _suffix(take: Rehearsal) -> str:
    if not take.has_original:
        return guess_extension(take.playback_type) or ""
    kind = _KIND.fullmatch(PurePath(take.original_name).suffix.lower())
    return kind[0] if kind else ""


def _recording(name: str) -> Iterator[bytes]:
    try:
        yield from storage().read(name)
    except Gone:  # deleted in another window meanwhile: what came before stands
        return


def _folder(take: Rehearsal, within: str = "takes") -> str:
    day = timezone.localtime(take.created_at).strftime("%Y-%m-%d")
    title = slugify(take.title, allow_unicode=True)[:_TITLE_LETTERS].strip("-")
    return f"{within}/{day}-{title or 'take'}-{str(take.pk)[:8]}"
