"""Content of a bundle: consent at the cut-off decides, except for later withdrawals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import cached_property
from uuid import UUID

from django.db.models import (
    Exists,
    Max,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    prefetch_related_objects,
)
from django.utils import timezone

from coach.feedback.models import Correction, Dispute, Feedback, Item, Run, Verdict
from coach.practice.models import (
    ExerciseDone,
    FocusArea,
    KeyMessage,
    KeyMessageVerdict,
    SpanAgain,
)
from coach.questions.models import QuestionSession
from coach.rehearsals.models import AccessGrant, Rehearsal, Viewing
from coach.research.coding.erasing import blanked
from coach.research.coding.interviews.redaction.matching import KnownNames
from coach.research.coding.interviews.redaction.names import names_taken_out
from coach.research.coding.models import Interview, Redaction, Speaker, Text, Turn
from coach.research.coding.quote_redaction import LEFT_OUT, QuotableRuns
from coach.research.exports.models import ImportedRow
from coach.research.exports.names import row_name
from coach.research.studies.consent import consents_at, taken_back
from coach.research.studies.models import (
    AnswerSheet,
    ConsentEvent,
    LeftOut,
    Participant,
    Pseudonym,
    Scope,
    Study,
)
from coach.review.models import Review
from coach.review.rubric.models import Rating
from coach.review.second.models import Opinion, Place
from coach.slides.models import SlideComparison


@dataclass(frozen=True, kw_only=True)
class Person:
    """A participant, with the scopes of their data that may be exported."""

    participant: Participant
    scopes: frozenset[str]
    first_day: datetime
    """Time of their first consent: day 0 of all their data."""
    user_id: int | None
    condition: str

    @property
    def name(self) -> str:
        """Return the pseudonym."""
        return self.participant.pseudonym

    @property
    def first_date(self) -> date:
        """Return day 0."""
        return timezone.localdate(self.first_day)

    def agrees(self, scope: Scope) -> bool:
        """Return whether consent to this was valid at the cut-off and is not withdrawn since."""
        return scope in self.scopes

    def day(self, at: datetime) -> int:
        """Return the days since their first consent; negative before it."""
        return (timezone.localdate(at) - self.first_date).days


@dataclass(frozen=True, slots=True, kw_only=True)
class IncludedTakeKey:
    """A take in the bundle by its keys, so that counting reads no rows."""

    name: str
    person: Person
    number: int
    rehearsal: UUID
    run: UUID
    has_video: bool | None


@dataclass(frozen=True, kw_only=True)
class IncludedTake:
    """A take in the bundle, with the run of its report."""

    name: str
    person: Person
    number: int
    rehearsal: Rehearsal
    run: Run


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """An interview in the bundle: its locked text and the hidden spans."""

    interview: Interview
    text: Text
    person: Person
    people: dict[int, Person]
    """Speakers, by the key of the speaker."""
    hidden: tuple[tuple[int, int], ...]
    """Turns of people in a group without valid consent, in code points."""

    def hides(self, start: int | None, end: int | None) -> bool:
        """Return whether any part of this span is hidden."""
        return any((start or 0) < last and (end or 0) > first for first, last in self.hidden)


@dataclass(kw_only=True)
class Included:
    """Everything that one export may contain, decided once."""

    study: Study
    cut_off: datetime
    formats: frozenset[str] = frozenset()
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Number of rows left out, by table and reason."""
    left_interviews: dict[str, list[str]] = field(default_factory=dict)
    """Labels of the interviews left out, by reason."""

    def is_before(self, at: datetime | None) -> bool:
        """Return whether an event had happened by the cut-off; False for None."""
        return at is not None and at <= self.cut_off

    def stands(self, dispute: Dispute) -> bool:
        """Return whether the dispute was made and not withdrawn by the cut-off."""
        return self.is_before(dispute.at) and not self.is_before(dispute.withdrawn_at)

    @cached_property
    def key(self) -> bytes:
        """Return the study's own key for row names."""
        return bytes(self.study.secret.key)

    @cached_property
    def people(self) -> tuple[Person, ...]:
        """Return the people with any valid consent who have not withdrawn, by pseudonym."""
        users = dict(Pseudonym.objects.filter(study=self.study).values_list("participant", "user"))
        granted, ended = consents_at(self.study, self.cut_off), taken_back(self.study)
        first = _first_days(self.study, self.cut_off)
        found = []
        for each in self.study.participants.select_related("allocation__condition"):
            scopes = granted.get(each.pk, set()) - ended.get(each.pk, set())
            if each.withdrawn_at is not None:
                self.left_out["participants", "withdrawn"] += 1
            elif not scopes:
                self.left_out["participants", "not_consented"] += 1
            else:
                allocation = getattr(each, "allocation", None)
                found.append(
                    Person(
                        participant=each,
                        scopes=frozenset(scopes),
                        first_day=first[each.pk],
                        user_id=users.get(each.pk),
                        condition=allocation.condition.letter if allocation else "",
                    )
                )
        return tuple(sorted(found, key=lambda person: person.name))

    @cached_property
    def by_user(self) -> dict[int, Person]:
        """Return the same people by user key."""
        return {each.user_id: each for each in self.people if each.user_id is not None}

    @cached_property
    def by_participant(self) -> dict[int, Person]:
        """Return the same people by participant key."""
        return {each.participant.pk: each for each in self.people}

    @cached_property
    def owners(self) -> dict[int, Person]:
        """Return the people whose measurements may be exported, by user key."""
        return {key: each for key, each in self.by_user.items() if each.agrees(Scope.MEASUREMENTS)}

    @cached_property
    def take_keys(self) -> tuple[IncludedTakeKey, ...]:
        """Return the takes whose measurements may be exported, by name."""
        left_out = set(LeftOut.objects.filter(study=self.study).values_list("rehearsal", flat=True))
        counts: Counter[str] = Counter()
        takes = []
        done = _done(self.cut_off).filter(rehearsal=OuterRef("pk")).order_by("-created_at")
        found = _rehearsals(self.study, self.cut_off, list(self.owners))
        rows = found.annotate(run_key=Subquery(done.values("pk")[:1]))
        for pk, owner, has_video, run in rows.values_list("pk", "owner", "has_video", "run_key"):
            person = self.owners[owner]
            if pk in left_out:
                self.left_out["rehearsals", "left_out_by_hand"] += 1
                continue
            counts[person.name] += 1
            takes.append(
                IncludedTakeKey(
                    name=f"R-{row_name(self.key, 'rehearsal', pk)}",
                    person=person,
                    number=counts[person.name],
                    rehearsal=pk,
                    run=run,
                    has_video=has_video,
                )
            )
        return tuple(sorted(takes, key=lambda take: take.name))

    @cached_property
    def takes(self) -> tuple[IncludedTake, ...]:
        """Return the same takes with their rows; reports are read on demand."""
        newest = Prefetch("runs", _done(self.cut_off).order_by("-created_at"))
        rows = _rehearsals(self.study, self.cut_off, list(self.owners))
        found = {each.pk: each for each in rows.select_related("cohort").prefetch_related(newest)}
        return tuple(
            IncludedTake(
                name=each.name,
                person=each.person,
                number=each.number,
                rehearsal=found[each.rehearsal],
                run=found[each.rehearsal].runs.all()[0],
            )
            for each in self.take_keys
            if each.rehearsal in found
        )

    @cached_property
    def take_counts(self) -> Counter[str]:
        """Return the number of takes by person; for an imported study from its rows."""
        if not self.study.is_imported:
            return Counter(take.person.name for take in self.take_keys)
        rows = ImportedRow.objects.filter(study=self.study, table="rehearsals")
        return Counter(rows.values_list("values__participant_id", flat=True))

    def takes_with(self, scope: Scope) -> Iterator[IncludedTake]:
        """Yield the takes whose owner consented to this scope too."""
        return (take for take in self.takes if take.person.agrees(scope))

    @cached_property
    def conversations(self) -> tuple[Conversation, ...]:
        """Return the same interviews with their turns, which are many."""
        turns = Prefetch("turns", Turn.objects.prefetch_related("speaker").order_by("number"))
        prefetch_related_objects([each.text for each in self.talks], turns)
        return self.talks

    @cached_property
    def talks(self) -> tuple[Conversation, ...]:
        """Return the locked interviews whose participants consented to their words, by number."""
        found = []
        for interview in _locked(self.study):
            conversation, reason = _conversation(interview, self.by_participant)
            if conversation is None:
                self.left_out["interviews", reason] += 1
                self.left_interviews.setdefault(reason, []).append(interview.label)
            else:
                found.append(conversation)
        if waiting := pending_redactions(self.study):
            self.left_out["interviews", "redaction_pending"] += len(waiting)
            self.left_interviews["redaction_pending"] = waiting
        return tuple(found)

    @cached_property
    def absent(self) -> QuotableRuns:
        """Return the words of people left out of the bundle, to remove them from coders' quotes."""
        there = [each.interview.pk for each in self.conversations]
        left = Text.objects.filter(interview__study=self.study).exclude(
            interview__in=there, kind=Text.Kind.LOCKED, is_current=True
        )
        theirs = [
            text.text[turn.start : turn.end]
            for text in left.prefetch_related("turns__speaker").iterator(chunk_size=20)
            for turn in text.turns.all()
            if turn.speaker.role != Speaker.Role.INTERVIEWER or text.interview_id in there
        ]
        for each in self.conversations:
            theirs += [each.text.text[start:end] for start, end in each.hidden]
        others = (blanked(each.text.text, each.hidden) for each in self.conversations)
        return QuotableRuns.by(theirs, others)

    @cached_property
    def names_out(self) -> KnownNames:
        """Return the names that were redacted in its texts."""
        return names_taken_out(self.study)

    def noted(self, words: str) -> str:
        """Return a coder's text without names and words that must not be exported."""
        return self.names_out.replaced_in(self.absent.taken_out_of(words), LEFT_OUT)


def pending_redactions(study: Study) -> list[str]:
    """Return the labels of interviews that may still contain names; these are left out of
    bundles.
    """
    pending = study.interviews.exclude(pk__in=_locked(study).values("pk"))
    return [each.label for each in pending.order_by("number")]


def unnamed_voices(study: Study) -> list[str]:
    """Return the labels of interviews with a speaker of unknown consent."""
    if study.is_imported:  # Their turns are blank already.
        return []
    unnamed = Speaker.objects.filter(role=Speaker.Role.PARTICIPANT, participant=None)
    found = study.interviews.filter(Exists(unnamed.filter(interview=OuterRef("pk"))))
    return [each.label for each in found.order_by("number")]


def last_change(study: Study) -> datetime:
    """Return when consent, people, takes or their feedback last changed.

    An export without a cut-off uses this time, so that the same data gives the same bytes, whenever
    it is requested.
    """
    users = Pseudonym.objects.filter(study=study).values("user")
    of_takes = Q(rehearsal__owner__in=users)
    of_feedback = Q(feedback__rehearsal__owner__in=users)
    of_items = Q(item__feedback__rehearsal__owner__in=users)
    asked = (
        (ConsentEvent.objects.filter(participant__study=study), ("at",)),
        (AnswerSheet.objects.filter(participant__study=study), ("sent_at",)),
        (Run.objects.filter(of_takes), ("finished_at",)),
        (Item.objects.filter(of_feedback), ("created_at",)),
        (Feedback.objects.filter(of_takes), ("released_at",)),
        (Verdict.objects.filter(of_items), ("at", "undone_at")),
        (Dispute.objects.filter(of_items), ("at", "withdrawn_at")),
        (Correction.objects.filter(of_feedback), ("made_at", "undone_at")),
        (AccessGrant.objects.filter(of_takes), ("created_at",)),
        (Review.objects.filter(of_takes), ("finished_at",)),
        (Rating.objects.filter(of_takes), ("finished_at",)),
        # A first coach's opinion is created whenever somebody looks, and is in no bundle.
        (Opinion.objects.filter(of_takes).exclude(place=Place.FIRST), ("submitted_at",)),
        (Viewing.objects.filter(of_takes), ("at",)),
        (ExerciseDone.objects.filter(user__in=users), ("at",)),
        (SpanAgain.objects.filter(take__owner__in=users), ("created_at",)),
        (FocusArea.objects.filter(person__in=users), ("created_at", "ended_at")),
        (KeyMessage.objects.filter(talk__owner__in=users), ("created_at",)),
        (KeyMessageVerdict.objects.filter(take__owner__in=users), ("at",)),
        (QuestionSession.objects.filter(take__owner__in=users), ("created_at",)),
        (SlideComparison.objects.filter(of_takes), ("asked_at",)),
    )
    # One query: a page that asks this has many others.
    first, *rest = (
        rows.order_by().values(one=Value(1)).annotate(last=Max(name)).values_list("last", flat=True)
        for rows, names in asked
        for name in names
    )
    last: list[datetime] = [each for each in first.union(*rest, all=True) if each]
    return max([study.created_at, *last])


def _first_days(study: Study, cut_off: datetime) -> dict[int, datetime]:
    events = ConsentEvent.objects.filter(participant__study=study, at__lte=cut_off)
    found: dict[int, datetime] = {}
    for participant, at in events.order_by("at").values_list("participant", "at"):
        found.setdefault(participant, at)
    return found


def _rehearsals(study: Study, cut_off: datetime, owners: list[int]) -> QuerySet[Rehearsal]:
    done = _done(cut_off).filter(rehearsal=OuterRef("pk"))
    takes = Rehearsal.objects.filter(Exists(done), owner__in=owners, created_at__lte=cut_off)
    if study.cohorts.exists():
        takes = takes.filter(cohort__in=study.cohorts.all())
    if study.starts_on:
        takes = takes.filter(created_at__gte=_midnight(study.starts_on))
    if study.ends_on:
        takes = takes.filter(created_at__date__lte=study.ends_on)
    return takes.order_by("owner", "created_at", "pk")


def _done(cut_off: datetime) -> QuerySet[Run]:
    """Return the runs with a report by then."""
    return Run.objects.filter(state=Run.State.DONE, finished_at__lte=cut_off, report__isnull=False)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _locked(study: Study) -> QuerySet[Interview]:
    """Return fully redacted interviews: no open proposal, and no redaction waiting for
    another lock.
    """
    waits = Q(state=Redaction.State.PROPOSED) | Q(
        state=Redaction.State.APPROVED, text__kind=Text.Kind.LOCKED
    )
    unfinished = Redaction.objects.filter(waits, text__is_current=True)
    locked = Text.objects.filter(kind=Text.Kind.LOCKED, is_current=True)
    return (
        study.interviews.filter(
            Exists(locked.filter(interview=OuterRef("pk"))),
            ~Exists(unfinished.filter(text__interview=OuterRef("pk"))),
            state=Interview.State.LOCKED,
        )
        .select_related("guide", "participant")
        .prefetch_related(Prefetch("texts", locked), "speakers")
        .order_by("number")
    )


def _conversation(
    interview: Interview, people: dict[int, Person]
) -> tuple[Conversation | None, str]:
    """Return the interview for export; None and the reason if it may not be exported."""
    text = interview.texts.all()[0]
    person = people.get(interview.participant_id or 0)
    speakers = {
        each.pk: people[each.participant_id]
        for each in interview.speakers.all()
        if each.participant_id in people
    }
    agreed = {pk: who for pk, who in speakers.items() if who.agrees(Scope.TRANSCRIPT)}
    if interview.kind == Interview.Kind.FOCUS_GROUP and agreed:
        person = person if person in agreed.values() else next(iter(agreed.values()))
    if person is None or not person.agrees(Scope.TRANSCRIPT):
        was_there = interview.participant is not None and interview.participant.withdrawn_at
        return None, "withdrawn" if was_there else "not_consented"
    silent = [
        each.pk
        for each in interview.speakers.all()
        if each.role == Speaker.Role.PARTICIPANT
        and each.pk not in agreed
        and interview.kind == Interview.Kind.FOCUS_GROUP
    ]
    hidden: tuple[tuple[int, int], ...] = ()
    if silent:
        turns = text.turns.filter(speaker__in=silent).order_by("number")
        hidden = tuple(turns.values_list("start", "end"))
    return Conversation(
        interview=interview, text=text, person=person, people=agreed, hidden=hidden
    ), ""
