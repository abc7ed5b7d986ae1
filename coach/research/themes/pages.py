"""Content of the pages of passages and themes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from coach.accounts.models import User
from coach.research.coding.models import Coding, Theme, ThemeChange
from coach.research.coding.selectors import codings_for, may_code
from coach.research.studies.models import Study
from coach.research.studies.selectors import may_export
from coach.research.themes.forms import PassagesForm, ReelForm
from coach.research.themes.moments import FoundMoment, found_for, moments_for, with_words
from coach.research.themes.playing import Playback, Unplayable
from coach.research.themes.retrieval import FoundPassage, PassageQuery, passages_for, shares_of
from coach.research.themes.services import themes_for

AT_ONCE = 100


def passages_page(study: Study, user: User, form: PassagesForm, start: int) -> dict[str, Any]:
    """Return a page of the passages that are asked for, with their counts."""
    query = form.query()
    found = [] if query.is_empty else found_for(user, study, query)
    return {
        "study": study,
        "form": form,
        "is_asked": not query.is_empty,
        "may_export": may_export(user, study),
        "may_theme": may_code(user, study),
        "counts": counts_of(found),
        **_shown(found, user, study, start),
    }


def counts_of(found: Sequence[FoundPassage | FoundMoment]) -> dict[str, int]:
    """Return the numbers of passages, interviews, takes and people."""
    units = {each.unit: isinstance(each, FoundMoment) for each in found}
    return {
        "passages": len(found),
        "interviews": sum(not is_take for is_take in units.values()),
        "takes": sum(units.values()),
        "people": len({person for each in found for person in each.people}),
    }


def _shown(
    found: Sequence[FoundPassage | FoundMoment], user: User, study: Study, start: int
) -> dict[str, Any]:
    playback = Playback(user, study)
    rows = _rows(found[start : start + AT_ONCE], user, study, playback)
    return {
        "passages": rows,
        "can_play": any(row["clip"] for row in rows),
        "next": start + AT_ONCE if len(found) > start + AT_ONCE else 0,
    }


def _rows(
    found: Sequence[FoundPassage | FoundMoment], user: User, study: Study, playback: Playback
) -> list[dict[str, Any]]:
    """Return passages and moments with their words, their clips and the way to their coding."""
    shares = shares_of(user, study)
    moments = iter(with_words([each for each in found if isinstance(each, FoundMoment)]))
    there = [next(moments) if isinstance(each, FoundMoment) else each for each in found]
    return [
        {"passage": each, "share": shares.get(each.unit), "clip": playback.clip(each)}
        for each in there
    ]


def reel_page(study: Study, user: User, form: ReelForm, start: int) -> dict[str, Any]:
    """Return the moments that may be played now, and how many may not, by reason."""
    query = form.query()
    passages = [] if query.is_empty else passages_for(user, study, query)
    moments = [] if query.is_empty else moments_for(user, study, query)
    playback = Playback(user, study, before=form.run_up)
    every: list[FoundPassage | FoundMoment] = [*passages, *moments]
    plays: list[FoundPassage | FoundMoment] = []
    refused = Counter[Unplayable]()
    for each in every:
        clip = playback.of(each)
        if isinstance(clip, Unplayable):
            refused[clip] += 1
        else:
            plays.append(each)
    return {
        "study": study,
        "form": form,
        "is_asked": not query.is_empty,
        "counts": counts_of(plays),
        "refused": [{"n": refused[why], "words": why.words} for why in Unplayable if refused[why]],
        "passages": _rows(plays[start : start + AT_ONCE], user, study, playback),
        "next": start + AT_ONCE if len(plays) > start + AT_ONCE else 0,
    }


def themes_page(study: Study, user: User) -> dict[str, Any]:
    """Return the themes in order with their codes and numbers of codings, and the history."""
    codings = codings_for(user).filter(study=study)
    codings = codings.exclude(status=Coding.Status.REJECTED).order_by()
    by_code = Counter(codings.values_list("code", flat=True))
    themes = themes_for(user, study).prefetch_related("codes")
    rows = [
        {
            "theme": each,
            "codes": [code.name for code in each.codes.all()],
            "codings": sum(by_code[code.pk] for code in each.codes.all()),
        }
        for each in themes
    ]
    changes = ThemeChange.objects.filter(study=study).select_related("by__user")
    return {
        "study": study,
        "rows": rows,
        "edits": may_code(user, study),
        "changes": [_change(each) for each in changes[:AT_ONCE]],
    }


def _change(change: ThemeChange) -> dict[str, Any]:
    """Return a change with the name before and after, and the codes added and taken away."""
    before, after = change.before, change.after
    was, now = before.get("codes", []), after.get("codes", [])
    merged = before.get("merged", {})
    return {
        "change": change,
        "name": after.get("name") or before.get("name") or (change.theme and change.theme.name),
        "was": before.get("name", "") if before.get("name") != after.get("name") else "",
        "merged": merged.get("name", ""),
        "added": [each for each in now if each not in was],
        "removed": [each for each in was if each not in now],
        "memo": before.get("memo", ""),
    }


def theme_page(theme: Theme, user: User, start: int) -> dict[str, Any]:
    """Return a theme with its memos, its codes, its passages and its history."""
    codes, memos = list(theme.codes.all()), list(theme.memos.select_related("by__user"))
    query = PassageQuery(codes=frozenset(code.pk for code in codes))
    found = found_for(user, theme.study, query) if codes else []
    return {
        "study": theme.study,
        "theme": theme,
        "codes": codes,
        "memo": memos[0].body if memos else "",
        "memos": memos,
        "edits": may_code(user, theme.study),
        "may_export": may_export(user, theme.study),
        "counts": counts_of(found),
        "changes": [_change(each) for each in theme.changes.select_related("by__user", "theme")],
        **_shown(found, user, theme.study, start),
    }
