"""First people and first rehearsal of a new installation."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from django.db import transaction
from django.utils import timezone, translation

from coach.accounts.away import set_away
from coach.accounts.models import Cohort, Language, Membership, Purpose, Role, User
from coach.accounts.services import give_consent
from coach.curation.services import take_up_builtin_rules
from coach.portal.welcome.services import note_welcomed
from coach.rehearsals.models import Rehearsal, Upload
from coach.rehearsals.selectors import own_talks_for
from coach.rehearsals.talk_context import TalkContext
from coach.review.bank.comments import CommentWords, keep_comment
from coach.review.bank.starter import keep_starters, starters_in
from coach.slides.models import Deck
from coach.slides.services import note_shown
from coach.uploads.services import keep_file
from coach.uploads.storing import submit_rehearsal

DEMO_PASSWORD = "rehearse-with-me"  # noqa: S105  # printed at the start: accounts of a demonstration


@dataclass(frozen=True, slots=True)
class Account:
    """One account of the demonstration."""

    email: str
    name: str
    role: Role
    language: str = Language.ENGLISH


ACCOUNTS = (
    Account("trainee@rostrum.example", "Tessa Trainee", Role.TRAINEE),
    Account("coach@rostrum.example", "Colin Coach", Role.COACH),
    Account("second.coach@rostrum.example", "Clara Coach", Role.COACH),
    Account("lead.coach@rostrum.example", "Lena Lead", Role.COACH),
    Account("curator@rostrum.example", "Cora Curator", Role.CURATOR),
    Account("second.curator@rostrum.example", "Cyril Curator", Role.CURATOR),
    Account("researcher@rostrum.example", "Rania Researcher", Role.RESEARCHER),
    Account("admin@rostrum.example", "Adam Administrator", Role.ADMINISTRATOR),
)

MORE_TRAINEES = (
    Account("nadia@rostrum.example", "Nadia Naylor", Role.TRAINEE),
    Account("tom@rostrum.example", "Tom Tanner", Role.TRAINEE),
    Account("elise@rostrum.example", "Élise Étienne", Role.TRAINEE, Language.FRENCH),
    Account("ben@rostrum.example", "Ben Bright", Role.TRAINEE),
)
"""Trainees whose takes are in the coach's queue; each can sign in too."""


@transaction.atomic
def seed_people() -> dict[Role, User]:
    """Create a person for each role, three coaches, two curators and a cohort; return the first of
    each role.

    Running it again changes nothing.
    """
    take_up_builtin_rules()
    everybody = [_person(account) for account in ACCOUNTS]
    people: dict[Role, User] = {}
    for account, person in zip(ACCOUNTS, everybody, strict=True):
        people.setdefault(account.role, person)
    cohort, _new = Cohort.objects.get_or_create(
        name="Demonstration group", defaults={"reply_hours": 48}
    )
    coaches = [each for each in everybody if Role.COACH in each.roles]
    # The first coach leads the group and sees its team pages. The third settles what the first two
    # judge differently, because nobody settles their own.
    _join(cohort, [coaches[0], *coaches[2:]], Role.COACH, leads=True)
    _join(cohort, coaches[1:2], Role.COACH)
    _plan_holidays(coaches[1])
    _fill_comment_banks(cohort, coaches)
    _join(cohort, [people[Role.TRAINEE], *map(_person, MORE_TRAINEES)], Role.TRAINEE)
    return people


def _fill_comment_banks(cohort: Cohort, coaches: Sequence[User]) -> None:
    """Give the first coach some starter comments, and one that the second one shares."""
    first, second = coaches[:2]
    keep_starters(coach=first, language=first.language, tags=["fluency", "structure"])
    shared = next(each for each in starters_in(second.language) if each.tag == "clarity")
    words = CommentWords(text=shared.text, tag=shared.tag, cohort=cohort.pk)
    keep_comment(coach=second, words=words)


def _plan_holidays(coach: User) -> None:
    """Let a coach be away for a week, in a month."""
    if coach.away_until is None:
        first = timezone.localdate() + timedelta(days=30)
        set_away(coach=coach, first=first, last=first + timedelta(days=6))


def _join(cohort: Cohort, members: Sequence[User], role: Role, *, leads: bool = False) -> None:
    for member in members:
        Membership.objects.get_or_create(
            cohort=cohort, user=member, role=role, defaults={"leads": leads}
        )


def _person(account: Account) -> User:
    existing = User.objects.filter(email=account.email).first()
    if existing is not None:
        return existing
    if account.role == Role.ADMINISTRATOR:
        return User.objects.create_superuser(account.email, DEMO_PASSWORD, name=account.name)
    person = User.objects.create_user(
        account.email,
        DEMO_PASSWORD,
        name=account.name,
        roles=[account.role],
        language=account.language,
    )
    if account.role == Role.TRAINEE:
        note_welcomed(user=person)
        with reading(person):
            give_consent(user=person, purpose=Purpose.RESEARCH_MEASUREMENTS)
            give_consent(user=person, purpose=Purpose.RULE_PREVIEW)
    return person


def reading(person: User) -> AbstractContextManager[None]:
    """Use this person's language in the block, so that consents are stored as they would
    read them.
    """
    return translation.override(person.language)


def seed_rehearsal(*, owner: User, video: Path, is_constructed: bool) -> Rehearsal | None:
    """Submit the first rehearsal: ours, or the visitor's own talk."""
    context = TalkContext(
        title="A constructed demonstration" if is_constructed else video.stem[:120],
        aim="inform",
        audience="public",
        setting="camera",
        language="en",
        time_limit=120.0 if is_constructed else None,
    )
    return hand_in(owner=owner, recording=video, context=context, is_constructed=is_constructed)


def hand_in(
    *,
    owner: User,
    recording: Path,
    context: TalkContext,
    is_constructed: bool,
    key_words: str | None = None,
    deck: Deck | None = None,
    changes: Sequence[tuple[float, int]] = (),
) -> Rehearsal | None:
    """Submit a recording as a trainee would; None if it was submitted before.

    `changes` are those of the deck's slides, as the recorder notes them.
    """
    if Rehearsal.objects.filter(owner=owner, sha256=sha256_of(recording)).exists():
        return None
    upload = send(owner=owner, recording=recording)
    if deck is not None:
        note_shown(upload=upload, deck=deck, changes=[list(each) for each in changes])
    with reading(owner):
        return submit_rehearsal(
            owner=owner,
            upload=upload,
            context=context,
            form_token=uuid.uuid4(),
            talk=own_talks_for(owner).filter(title=context.title).first(),
            is_constructed=is_constructed,
            key_words=key_words,
        )


def send(*, owner: User, recording: Path, meant_for: str = "") -> Upload:
    """Return a finished upload of a recording by its owner, for a take or another purpose."""
    upload = Upload(
        owner=owner, name=recording.name, sha256=sha256_of(recording), meant_for=meant_for
    )
    keep_file(upload=upload, path=recording)
    upload.save()
    return upload


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, which identifies a recording."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
