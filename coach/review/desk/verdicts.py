"""Views of decisions on the review page; each returns the updated items."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from coach.feedback.documents import CardClip
from coach.feedback.items import standing
from coach.feedback.models import DeskAct, Feedback, Item, Verdict
from coach.feedback.selectors import items_for
from coach.feedback.undoing import ACT_WORDS, take_back_last
from coach.feedback.verdicts import (
    ChangedMeanwhile,
    CoachItem,
    acts_since,
    add_coach_item,
    decide_on_item,
    hold_another_back,
    move_item,
    replace_item,
    set_word,
    undo_verdict,
)
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest
from coach.lib.words.punctuation import within_quotes
from coach.rehearsals.models import Rehearsal
from coach.review.access import carry_out, reviewed_by, try_to_claim
from coach.review.desk.drafts import delete_draft, delete_drafts_of_item
from coach.review.desk.page import desk_list, desk_page
from coach.review.forms import (
    ALSO_WORDED,
    CoachItemForm,
    ReplaceForm,
    VerdictForm,
    WordOnAllForm,
)
from coach.review.items.conflicts import Conflict, conflict_on
from coach.review.items.moments import exact_words
from coach.review.items.words import changed_words, clips_words, time_words
from coach.review.team.timed import counts_item_times


def _answer(
    request: SignedInRequest,
    rehearsal: Rehearsal,
    feedback: Feedback,
    problem: str = "",
    *,
    conflict: Conflict | None = None,
    with_word: bool = False,
    with_places: bool = False,
    taken_back: str = "",
) -> HttpResponse:
    """Return the items for htmx, or the whole page."""
    if problem:
        messages.error(request, problem)
    if not request.htmx and conflict is None:
        return redirect("review:desk", rehearsal.pk)
    feedback.refresh_from_db()
    template = "review/_items.html" if request.htmx else "review/desk.html"
    context: dict[str, object] = {
        "with_word": with_word,
        "with_places": with_places,
        "taken_back": taken_back,
    }
    if request.htmx and not with_places:
        context["desk"] = desk_list(rehearsal, feedback, coach=request.user, conflict=conflict)
    else:
        page = desk_page(rehearsal, feedback, coach=request.user, conflict=conflict)
        context |= {"page": page, "desk": page.desk}
    return render(request, template, context)


@require_POST
@login_required
@counts_item_times
def verdict(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Accept, reword, reject, hold back or move an item, or undo a decision."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    item = get_object_or_404(items_for(request.user), pk=item_id, feedback=feedback)
    form = VerdictForm(request.POST)
    if not form.is_valid():
        is_of_moments = "clips" in form.errors
        words = _("We could not read this decision. Please try again.")
        return _answer(request, rehearsal, feedback, first_error(form) if is_of_moments else words)
    problem = try_to_claim(rehearsal, request.user)
    data = form.cleaned_data
    newer, conflict = _newer_act(item, data), None
    is_done = newer is not None and _stands_already(item, data)
    if newer is not None and not is_done:
        conflict = conflict_on(item, newer, request.POST, coach=request.user)
    else:
        if not problem and not is_done:
            problem = carry_out(lambda: _decide(request, item, data))
        _decided(request, item, problem, data["action"])
    return _answer(request, rehearsal, feedback, problem, conflict=conflict)


def _newer_act(item: Item, data: dict[str, Any]) -> DeskAct | None:
    """Return a colleague's action on the item since this page was made, or None."""
    if data["seen"] is None or data.get("action") in {"up", "down", "undo", "instead"}:
        return None
    return acts_since(item.feedback, item, data["seen"])


def _stands_already(item: Item, data: dict[str, Any]) -> bool:
    """Return whether the same decision is in force, as from a second window."""
    now = standing(item)
    match data.get("action", "replace"):
        case "edit":
            wording = _wording(item, data)
            said = {name: now.document.get(name) or "" for name in wording}
            return now.decision == "edited" and said == wording
        case "reject":
            given = (now.verdict.reason, now.verdict.note) if now.verdict else None
            return now.decision == "rejected" and given == (data["reason"], data["note"])
        case "replace":
            others = (standing(each) for each in item.replaced_by.all())
            typed = (data["claim"], data["suggestion"])
            return now.decision == "replaced" and any(
                each.decision == "added" and (each.card.claim, each.card.suggestion) == typed
                for each in others
            )
        case action:
            return now.verdict is not None and now.verdict.kind == action


def _decide(request: SignedInRequest, item: Item, data: dict[str, Any]) -> None:
    action, coach = data["action"], request.user
    if action == "undo":
        undo_verdict(item=item, coach=coach)
    elif action in {"up", "down"}:
        move_item(item=item, coach=coach, by=1 if action == "down" else -1)
    elif action == "instead":
        other = get_object_or_404(items_for(coach), pk=data["other"], feedback=item.feedback)
        hold_another_back(held=item, other=other, coach=coach)
    else:
        decide_on_item(
            item=item,
            coach=coach,
            kind=Verdict.Kind(action),
            wording=_wording(item, data) if action == "edit" else None,
            reason=data["reason"],
            note=data["note"],
        )


def _wording(item: Item, data: dict[str, Any]) -> dict[str, Any]:
    """Return the changed wording; moments only if changed, since the form shows whole seconds.

    Empty moments, or the machine's own, restore the machine's moments, even if it has none.
    """
    words: dict[str, Any] = {
        "claim": data["wording"].strip(),
        "suggestion": data["suggestion"].strip(),
    }
    now, typed = standing(item), exact_words(data["clips"])
    machines = now.machines_clips
    for name in ALSO_WORDED:
        # Unchanged texts still follow later corrections of events and words.
        if data[name] is not None and data[name].split() != (now.document.get(name) or "").split():
            words[name] = data[name].strip()
    if typed == _shown(now.card.clips) or (not typed and machines is None):
        return words
    if machines is not None and typed in {"", _shown(machines)}:
        return {**words, "clips": None}
    return {**words, "clips": [{"start": start, "end": end} for start, end in data["clips"]]}


def _shown(clips: Iterable[CardClip]) -> str:
    return clips_words((each.start, each.end) for each in clips)


def _words_of(data: dict[str, Any]) -> CoachItem:
    return CoachItem(
        **{name: data[name] for name in ("tone", "quality", "claim", "suggestion", "clips")}
    )


@require_POST
@login_required
@counts_item_times
def add_item(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Add a coach's own item."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    form = CoachItemForm(request.POST)
    problem = try_to_claim(rehearsal, request.user)
    if not problem and not form.is_valid():
        problem = first_error(form)
    if not problem:
        words = _words_of(form.cleaned_data)
        problem = carry_out(
            lambda: add_coach_item(feedback=feedback, coach=request.user, words=words)
        )
        if not problem:
            delete_draft(feedback=feedback, coach=request.user, form="add")
    return _answer(request, rehearsal, feedback, problem)


@require_POST
@login_required
@counts_item_times
def replace(request: SignedInRequest, rehearsal_id: UUID, item_id: UUID) -> HttpResponse:
    """Replace an item with the coach's own."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    item = get_object_or_404(items_for(request.user), pk=item_id, feedback=feedback)
    form = ReplaceForm(request.POST)
    problem = try_to_claim(rehearsal, request.user)
    if not problem and not form.is_valid():
        problem = first_error(form)
    conflict = None
    if not problem:
        problem, conflict = _replace(request, item, form.cleaned_data)
    return _answer(request, rehearsal, feedback, problem, conflict=conflict)


def _replace(
    request: SignedInRequest, item: Item, data: dict[str, Any]
) -> tuple[str, Conflict | None]:
    """Return the error message, and the conflict with a colleague's action or None."""
    newer, problem = _newer_act(item, data), ""
    # The action is recorded at the replacement item.
    is_done = data["seen"] is not None and _stands_already(item, data)
    if newer is not None and not is_done:
        return "", conflict_on(item, newer, request.POST, coach=request.user)
    if not is_done:
        problem = carry_out(
            lambda: replace_item(
                item=item,
                coach=request.user,
                words=_words_of(data),
                reason=data["reason"],
                note=data["note"],
            )
        )
    _decided(request, item, problem, "replace")
    return problem, None


@require_POST
@login_required
@counts_item_times
def undo(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Undo this coach's newest action on the draft."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    problem = try_to_claim(rehearsal, request.user)
    taken: list[DeskAct | None] = []
    if not problem:
        problem = carry_out(
            lambda: taken.append(take_back_last(feedback=feedback, coach=request.user))
        )
    act = taken[0] if taken else None
    if not problem:
        messages.info(request, _undone_words(act))
    kind = "" if act is None else act.kind
    return _answer(
        request,
        rehearsal,
        feedback,
        problem,
        with_word=kind == "word",
        with_places=kind in {"note", "correction"},
        taken_back=_item_of(act),
    )


def _item_of(act: DeskAct | None) -> str:
    """Return the item id of an action, or of the replaced item; empty without one."""
    if act is None or act.item is None:
        return ""
    return str(act.item.replaces_id or act.item.pk)


def _undone_words(act: DeskAct | None) -> str:
    if act is None:
        return _("There is nothing left to undo. You can undo up to ten steps.")
    what = str(ACT_WORDS[act.kind])
    if act.item is None:
        return _("Undone: %(what)s.") % {"what": what}
    claim = Truncator(within_quotes(act.item.card.claim)).chars(60)
    return _("Undone: %(what)s on “%(claim)s”.") % {"what": what, "claim": claim}


@require_POST
@login_required
def word(request: SignedInRequest, rehearsal_id: UUID) -> HttpResponse:
    """Autosave the comment on the whole talk."""
    rehearsal, feedback = reviewed_by(request.user, rehearsal_id)
    form = WordOnAllForm(request.POST)
    form.is_valid()
    text = form.cleaned_data.get("word", "")
    problem = first_error(form) if form.errors else try_to_claim(rehearsal, request.user)
    changed: ChangedMeanwhile | None = None
    if not problem:
        try:
            problem = carry_out(
                lambda: set_word(
                    feedback=feedback, coach=request.user, text=text, known=form.known()
                )
            )
        except ChangedMeanwhile as meanwhile:
            changed, problem = meanwhile, changed_words(meanwhile, request.user, text)
    if not request.htmx:
        return _answer(request, rehearsal, feedback, problem)
    kept = _("Saved at %(time)s") % {"time": time_words(timezone.now())}
    context = {"problem": problem, "kept": kept, "text": text, "changed": changed}
    return render(request, "review/_word_kept.html", context)


def _decided(request: SignedInRequest, item: Item, problem: str, action: str) -> None:
    """Delete the drafts about an item after a decision."""
    if not problem and action not in {"up", "down", "undo", "instead"}:
        delete_drafts_of_item(feedback=item.feedback, coach=request.user, item_id=item.pk)
