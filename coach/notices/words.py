"""Text and link of a notification; pages name the talk, emails do not.

Emails are stored on other people's servers, so they name no talk and nobody but their reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from coach.accounts.models import User
from coach.audit.models import Entry
from coach.lib.words.placeholder_names import ERASED_PERSON, name_words
from coach.lib.words.punctuation import within_quotes
from coach.notices.models import Kind, Notice
from coach.rehearsals.models import Rehearsal

_PAGES: Final[Mapping[str, str]] = {
    Kind.DEPARTMENT: "portal:department_home",
    # Not the review page: it shows the findings, and a second opinion must be blind.
    Kind.SECOND: "review:seconds",
}
"""The one page of a kind, whatever the notification is about."""


def is_owners(notice: Notice) -> bool:
    """Return whether the notification is about the reader's own take."""
    return notice.rehearsal is not None and notice.person_id == notice.rehearsal.owner_id


def place_of(notice: Notice) -> str:
    """Return the page on which the reader can read or act."""
    if notice.kind == Kind.DUE:
        return reverse("assignments:assignment", args=[notice.about.rpartition(":")[2]])
    if notice.kind in _PAGES:
        return reverse(_PAGES[notice.kind])
    if notice.kind == Kind.DISCUSSED:
        return reverse("review:compare", args=[notice.rehearsal_id])
    if not is_owners(notice):
        return reverse("review:desk", args=[notice.rehearsal_id])
    if notice.kind in {Kind.PRACTICE, Kind.TASK}:
        return reverse("feedback:takes")
    if notice.kind == Kind.ACCESS:
        return reverse("portal:privacy")
    if notice.kind == Kind.GUEST:
        return reverse("guests:invite", args=[notice.rehearsal_id])
    return reverse("feedback:report", args=[notice.rehearsal_id])


def list_of(kind: Kind) -> str:
    """Return the page that lists the takes of several notifications of one kind."""
    return reverse("review:seconds" if kind == Kind.SECOND else "review:queue")


def page_words(notice: Notice) -> str:
    """Return the sentence on the page."""
    if notice.kind == Kind.ACCESS:
        return _access_words(notice)
    if notice.rehearsal is None:
        return _about_no_take(notice.kind)
    if notice.kind == Kind.HANDED:
        return _handed_words(notice, notice.rehearsal)
    said = _to_owner(notice) if is_owners(notice) else _to_coach(notice)
    return said % {
        "title": within_quotes(notice.rehearsal.title),
        "name": str(notice.rehearsal.owner),
    }


def _access_words(notice: Notice) -> str:
    """Return who can open the owner's recordings now, and why, from the audit log."""
    entry = Entry.objects.filter(pk=notice.about.rpartition(":")[2]).first()
    take = notice.rehearsal
    if entry is not None and take is not None and entry.action == "rehearsals.emergency_opened":
        said = _(
            "%(who)s, an administrator of this site, opened your recording “%(title)s” for an "
            "hour. Reason: %(why)s"
        )
        who = entry.actor or name_words(ERASED_PERSON)
        title = within_quotes(take.title)
        return said % {"who": who, "title": title, "why": entry.detail.get("reason", "")}
    person = User.objects.filter(pk=entry.object_id).first() if entry else None
    if entry is None or person is None:
        return _about_no_take(Kind.ACCESS)
    said = _("%(who)s, an administrator of this site, can open your recordings. Reason: %(why)s")
    return said % {"who": person, "why": entry.detail.get("reason", "")}


def _to_owner(notice: Notice) -> str:
    match notice.kind:
        case Kind.RELEASED:
            return _("Your coach has released feedback on “%(title)s”.")
        case Kind.CORRECTED:
            return _("Your coach has corrected the feedback on “%(title)s”.")
        case Kind.QUESTION:
            return _("Your coach has a question about “%(title)s”.")
        case Kind.ANSWER:
            return _("Your coach has replied to you about “%(title)s”.")
        case Kind.PRACTICE:
            return _("It is time to practise.")
        case Kind.TASK:
            return _("Your coach has set you a task.")
        case _other:
            return _("A guest has commented on “%(title)s”.")


def _to_coach(notice: Notice) -> str:
    match notice.kind:
        case Kind.SECOND:
            return _("“%(title)s” by %(name)s is waiting for your second opinion.")
        case Kind.DISCUSSED:
            return _("A coach has written about the two opinions on “%(title)s” by %(name)s.")
        case Kind.LATE if notice.settled_at is None:
            return _("“%(title)s” by %(name)s has waited longer than the promised reply time.")
        case Kind.ANSWER:
            return _("%(name)s has answered your question about “%(title)s”.")
        case Kind.QUESTION if notice.about.startswith("feedback.dispute:"):
            return _("%(name)s disagrees with a card on “%(title)s”.")
        case Kind.QUESTION:
            return _("%(name)s has a question about “%(title)s”.")
        case _other if notice.settled_at is not None:
            return _("“%(title)s” by %(name)s: a coach is reviewing it.")
        case _other:
            return _("“%(title)s” by %(name)s is waiting for your review.")


def _about_no_take(kind: str) -> str:
    if kind == Kind.ACCESS:
        return _("An administrator of this site can open your recordings.")
    if kind == Kind.DUE:
        return _("An assignment is due soon.")
    if kind == Kind.DEPARTMENT:
        return _("You administer a department of this site now.")
    return _("It is time to practise.")


def _handed_words(notice: Notice, take: Rehearsal) -> str:
    """Return who handed over the take and their note, while it is reserved for the reader."""
    review = getattr(take, "review", None)
    is_theirs = review is not None and review.meant_for_id == notice.person_id
    giver = review.handed_by if review is not None and is_theirs else None
    note = review.handed_note if review is not None and is_theirs else ""
    if giver is None:
        said = _("A colleague handed you “%(title)s” by %(name)s.")
    elif note:
        said = _("%(giver)s handed you “%(title)s” by %(name)s: “%(note)s”")
    else:
        said = _("%(giver)s handed you “%(title)s” by %(name)s.")
    return said % {
        "giver": giver,
        "title": within_quotes(take.title),
        "name": str(take.owner),
        "note": within_quotes(note),
    }


def mail_words(kind: str, count: int) -> str:
    """Return the sentence for all notifications of one kind, in an email and on the page."""
    said = _review_notice(kind, count) or _reading_notice(kind, count)
    return said % {"count": count}


def _review_notice(kind: str, count: int) -> str:
    """Return the sentence of a kind that asks a coach to review; empty for other kinds."""
    match kind:
        case Kind.WAITING:
            said = ngettext(
                "A take is waiting for your answer.",
                "%(count)s takes are waiting for your answer.",
                count,
            )
        case Kind.HANDED:
            said = ngettext(
                "A colleague has handed you a take.",
                "Colleagues have handed you %(count)s takes.",
                count,
            )
        case Kind.SECOND:
            said = ngettext(
                "A take is waiting for your second opinion.",
                "%(count)s takes are waiting for your second opinion.",
                count,
            )
        case Kind.DISCUSSED:
            said = ngettext(
                "A coach has written about two opinions on a take.",
                "Coaches have written %(count)s messages about opinions on takes.",
                count,
            )
        case Kind.LATE:
            said = ngettext(
                "A take has waited longer than the promised reply time.",
                "%(count)s takes have waited longer than the promised reply time.",
                count,
            )
        case _other:
            said = ""
    return said


def _reading_notice(kind: str, count: int) -> str:
    match kind:
        case Kind.RELEASED:
            said = ngettext(
                "Your coach has released feedback for you.",
                "Your coach has released feedback on %(count)s of your takes.",
                count,
            )
        case Kind.CORRECTED:
            said = ngettext(
                "Your coach has corrected the feedback on one of your takes.",
                "Your coach has corrected the feedback on %(count)s of your takes.",
                count,
            )
        case Kind.QUESTION:
            said = ngettext(
                "You have a question about a take.",
                "You have %(count)s questions about takes.",
                count,
            )
        case Kind.PRACTICE | Kind.ACCESS | Kind.DUE | Kind.DEPARTMENT:
            said = _about_no_take(kind)
        case Kind.TASK:
            said = ngettext(
                "Your coach has set you a task.",
                "Your coach has set you %(count)s tasks.",
                count,
            )
        case Kind.ANSWER:
            said = ngettext("You have a reply.", "You have %(count)s replies.", count)
        case _other:
            said = ngettext(
                "A guest has left you a comment.",
                "Guests have left you %(count)s comments.",
                count,
            )
    return said
