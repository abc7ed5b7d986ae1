"""Content of the privacy centre."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from coach.accounts.models import Consent, Purpose, User
from coach.accounts.purposes import (
    agreed_text,
    changes_since,
    current_text,
    current_version,
    least_version,
)
from coach.accounts.selectors import consents_of, consents_to_renew, standing_consents
from coach.audit.models import Entry
from coach.audit.registry import ACTIONS
from coach.audit.selectors import account_entries_for
from coach.feedback.pages.measures import FAMILY_LABELS
from coach.lib.words.dates import date_words
from coach.rehearsals.retention import Dates, dates_of, day_words, takes_with_a_date
from coach.rehearsals.selectors import own_rehearsals_for, viewed_words, viewings_for
from coach.research.studies.consent import consents_at
from coach.research.studies.models import Scope
from coach.research.studies.selectors import participations_of

_SWITCHES = ("fluency", "voice", "pace", "wording", "face", "posture", "hands")


_GROUPS = (
    (gettext_lazy("So that it works for you"), (Purpose.ANALYSIS, Purpose.COACH)),
    (
        gettext_lazy("Research"),
        (
            Purpose.RESEARCH_MEASUREMENTS,
            Purpose.RESEARCH_TRANSCRIPT,
            Purpose.RESEARCH_QUOTES,
            Purpose.RESEARCH_AUDIO,
            Purpose.RESEARCH_VIDEO,
        ),
    ),
    (
        gettext_lazy("Better rules, and coaches who learn"),
        (Purpose.RULE_PREVIEW, Purpose.COACH_TRAINING),
    ),
)


def consent_groups(user: User) -> list[dict[str, object]]:
    """Return each purpose with its text and state, the date of consent and its wording."""
    standing = standing_consents(user)
    takes = own_rehearsals_for(user)
    # Takes sent before consents were stored are with a coach as well.
    is_sent = takes.filter(grants__isnull=False, grants__revoked_at=None).exists()
    return [
        {
            "title": title,
            "rows": [
                _consent_row(
                    purpose, standing.get(purpose), is_used=is_sent and purpose == Purpose.COACH
                )
                for purpose in purposes
            ],
        }
        for title, purposes in _GROUPS
    ]


def _consent_row(purpose: Purpose, consent: Consent | None, *, is_used: bool) -> dict[str, object]:
    is_older = consent is not None and consent.version < current_version(purpose)
    return {
        "purpose": purpose.value,
        "title": purpose.label,
        "text": current_text(purpose),
        "given": (consent is not None and consent.version >= least_version(purpose)) or is_used,
        "since": date_words(consent.given_at) if consent else "",
        "version": consent.version if consent else "",
        "agreed_to": agreed_text(consent) if consent and is_older else "",
        "question": question_on(consent) if consent and is_older else None,
        "toggle_url": reverse("portal:consent", args=[purpose.value]),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentRenewal:
    """A request to renew a consent whose wording has changed."""

    title: str
    changed: tuple[str, ...]
    """The changes, oldest first."""
    meanwhile: str
    """The effect of the earlier answer until this one is given."""
    url: str


def question_on(consent: Consent) -> ConsentRenewal:
    """Return the question to a person who accepted an earlier wording."""
    purpose = Purpose(consent.purpose)
    return ConsentRenewal(
        title=str(purpose.label),
        changed=tuple(changes_since(purpose, consent.version)),
        meanwhile=_meanwhile(consent) % {"day": date_words(consent.given_at)},
        url=reverse("portal:consent", args=[purpose.value]),
    )


def _meanwhile(consent: Consent) -> str:
    purpose = Purpose(consent.purpose)
    if consent.version >= least_version(purpose):
        return _("Until you answer, the wording you agreed to on %(day)s still applies.")
    if purpose == Purpose.COACH:
        # Each take was sent by its own action, which is valid until withdrawn.
        return _(
            "The new wording asks for more than you agreed to on %(day)s. Takes you sent stay "
            "with your coaches until you answer or withdraw them."
        )
    return _(
        "The new wording asks for more than you agreed to on %(day)s. Until you answer, we use "
        "nothing for this purpose."
    )


def questions_for(user: User) -> tuple[ConsentRenewal, ...]:
    """Return all consents that the person is asked to renew."""
    return tuple(question_on(each) for each in consents_to_renew(user))


def agreed_rows(user: User) -> list[dict[str, object]]:
    """Return every consent that the person has given, with its wording, newest first."""
    return [
        {
            "title": Purpose(each.purpose).label,
            "version": each.version,
            "text": agreed_text(each),
            "language": each.language,
            "from": date_words(each.given_at),
            "until": date_words(each.withdrawn_at) if each.withdrawn_at else "",
        }
        for each in consents_of(user)
    ]


def study_rows(user: User) -> list[dict[str, object]]:
    """Return the person's consents in each study that they take part in."""
    now = timezone.now()
    return [
        {
            "title": each.study.title,
            "url": reverse("research:take_part", args=[each.study.slug]),
            "scopes": [
                str(Scope(scope).label)
                for scope in Scope.values
                if scope in consents_at(each.study, now).get(each.pk, ())
            ],
        }
        for each in participations_of(user).filter(withdrawn_at=None)
    ]


def family_rows(user: User) -> list[dict[str, object]]:
    """Return the families of measures that can be left out, and whether each one is."""
    labels = {
        "fluency": _("Ums, filler words and pauses"),
        "voice": _("Pitch variation and loudness"),
        "face": _("Face, head and gaze"),
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
    """Return recent account events: sign-ins, and actions of administrators."""
    return [
        {
            "what": ACTIONS[entry.action],
            "who": _actor_label(entry, user),
            "when": date_words(entry.at),
        }
        for entry in account_entries_for(user)[:20]
    ]


def _actor_label(entry: Entry, user: User) -> str:
    if entry.actor is None:
        return _("Unknown person") if entry.action == "accounts.sign_in_failed" else _("This site")
    return _("You") if entry.actor == user else str(entry.actor)


MOST_VIEWINGS = 100
"""Number of newest viewings on the page; the export of one's data has all."""


def viewing_rows(user: User) -> list[dict[str, object]]:
    """Return who opened the person's takes, up to one row more than is shown."""
    return [
        {
            "who": viewing.who,
            "what": viewed_words(viewing),
            "when": date_words(viewing.at),
            "rehearsal": viewing.rehearsal.title,
        }
        for viewing in viewings_for(user)[: MOST_VIEWINGS + 1]
    ]


def _goes_next(dates: Dates) -> tuple[bool, datetime]:
    """Return a sort key by deletion date; takes without one come last, in their order."""
    day = dates.media or dates.all_of_it
    return day is None, day or datetime.max.replace(tzinfo=UTC)


def kept_rows(user: User) -> list[dict[str, object]]:
    """Return each take with the deletion dates of its recording and of the whole take.

    The next deletion comes first.
    """
    rows: list[dict[str, object]] = []
    dated = [(take, dates_of(take)) for take in takes_with_a_date(user)]
    for take, dates in sorted(dated, key=lambda each: _goes_next(each[1])):
        if take.media_removed_at:
            gone = _("deleted on %(day)s")
            media = gone % {"day": day_words(take.media_removed_at)}
        else:
            media = day_words(dates.media) if dates.media else _("when you delete the take")
        whole = day_words(dates.all_of_it) if dates.all_of_it else _("when you delete the take")
        rows.append(
            {
                "title": take.title,
                "when": date_words(take.created_at),
                "url": reverse("feedback:report", args=[take.pk]),
                "media": media,
                "all_of_it": whole,
            }
        )
    return rows
