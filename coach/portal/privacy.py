"""Rows of the privacy centre."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from coach.accounts.models import Purpose, User
from coach.accounts.selectors import standing_consents
from coach.audit.actions import ACTIONS
from coach.audit.models import Entry
from coach.audit.selectors import account_entries_for
from coach.feedback.pages.dates import date_words
from coach.feedback.pages.measures import FAMILY_LABELS
from coach.rehearsals.retention import dates_of, day_words, takes_with_a_date
from coach.rehearsals.selectors import viewings_for

_SWITCHES = ("fluency", "voice", "pace", "wording", "face", "posture", "hands")


def consent_rows(user: User) -> list[dict[str, object]]:
    """Each purpose with what it means, whether it stands, and since when."""
    standing = standing_consents(user)
    texts = {
        Purpose.ANALYSIS: _(
            "Your recordings are analysed on this installation's own machines and sent nowhere "
            "else. Uploading gives this consent; without it, nothing is analysed."
        ),
        Purpose.RESEARCH: _(
            "Measurements, items and coaches' decisions about your takes may be used for research, "
            "under a pseudonym: no name, no free text, no face, no voice."
        ),
        Purpose.RULE_PREVIEW: _(
            "Curators who change a feedback rule may see what it would say about your takes: the "
            "card with its times and figures, without your name, your recording or its transcript. "
            "Without it your takes are only counted."
        ),
        Purpose.COACH_TRAINING: _(
            "A coach who leads your group may let its new coaches judge a take that was sent to "
            "the group and answered: they watch the recording, and compare what they saw with what "
            "was decided. You see who opened it."
        ),
    }
    return [
        {
            "purpose": purpose.value,
            "title": purpose.label,
            "text": texts[purpose],
            "given": purpose in standing,
            "since": date_words(standing[purpose].given_at) if purpose in standing else "",
            "toggle_url": reverse("portal:consent", args=[purpose.value]),
        }
        for purpose in Purpose
    ]


def family_rows(user: User) -> list[dict[str, object]]:
    """What can be left out of the analysis, and whether it is."""
    labels = {
        "fluency": _("Ums, filler words and pauses"),
        "voice": _("Melody and loudness of the voice"),
        "face": _("Face, head and where I look"),
        "hands": _("Hands"),
    }
    return [
        {
            "name": name,
            "label": labels.get(name) or str(FAMILY_LABELS[name]),
            "off": name in user.disabled_families,
        }
        for name in _SWITCHES
    ]


def account_rows(user: User) -> list[dict[str, object]]:
    """What happened to the person's account lately: sign-ins, and what administrators did."""
    return [
        {"what": ACTIONS[entry.action], "who": _who(entry, user), "when": date_words(entry.at)}
        for entry in account_entries_for(user)[:20]
    ]


def _who(entry: Entry, user: User) -> str:
    if entry.actor is None:
        return _("Nobody known") if entry.action == "accounts.sign_in_failed" else _("This site")
    return _("You") if entry.actor == user else str(entry.actor)


def viewing_rows(user: User) -> list[dict[str, object]]:
    """Who opened the person's takes."""
    what = {
        "recording": _("played the recording"),
        "report": _("opened the report"),
        "guest": _("opened it by your link"),
        "desk": _("reviewed it"),
        "rule_preview": _("tried a changed rule on it"),
        "second": _("gave a second opinion on it"),
        "calibration": _("practised judging on it"),
        "compared": _("compared two coaches' opinions on it"),
    }
    return [
        {
            "who": viewing.who,
            "what": what.get(viewing.what, viewing.what),
            "when": date_words(viewing.at),
            "rehearsal": viewing.rehearsal.title,
        }
        for viewing in viewings_for(user)[:100]
    ]


def kept_rows(user: User) -> list[dict[str, object]]:
    """Each take with the days on which its recording, and all of it, will be removed."""
    rows: list[dict[str, object]] = []
    for take in takes_with_a_date(user):
        dates = dates_of(take)
        if take.media_removed_at:
            gone = _("was removed on %(day)s")
            media = gone % {"day": day_words(take.media_removed_at)}
        else:
            media = day_words(dates.media) if dates.media else _("when you delete it")
        whole = day_words(dates.all_of_it) if dates.all_of_it else _("when you delete it")
        rows.append({"title": take.title, "media": media, "all_of_it": whole})
    return rows
