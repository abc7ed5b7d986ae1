"""Views for a person's own keyboard shortcuts: other keys, none for some actions, or none
at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.accounts.models import User
from coach.accounts.services import set_shortcuts, switch_shortcuts
from coach.lib.pages.shortcuts import (
    GROUPS,
    KEY_WORDS,
    KeyTaken,
    UnknownKey,
    chosen_keys,
    keys_of,
    typed_key,
)
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.research.studies.selectors import studies_for

OF_EVERYBODY = ("player", "general")
OF_COACHES = ("desk", "judging", "queue", "look")
OF_STUDIES = ("coding", "codes", "free", "settling", "spans", "voices", "reel", "redaction")
"""The audience of each group of keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySetting:
    """An action with the keys in its field."""

    name: str
    words: str
    keys: str
    usual: str
    is_fixed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KeySettingGroup:
    """The actions under one heading."""

    label: str
    rows: tuple[KeySetting, ...]


@require_http_methods(["GET", "POST"])
@login_required
def keys(request: SignedInRequest) -> HttpResponse:
    """Show and save the person's keys; rejected input stays in the fields."""
    typed: dict[str, str] = {}
    problem = ""
    if request.method == "POST":
        wish = request.POST.get("wish")
        typed = {} if wish == "usual" else {name: str(keys) for name, keys in request.POST.items()}
        problem = _kept(request, typed, {} if wish == "usual" else _own(request.user))
        if not problem:
            messages.success(request, _("Saved. These are your keys on every device."))
            return redirect("portal:keys")
    context = {
        "groups": _groups(request, typed),
        "problem": problem,
        "key_words": {name: str(words) for name, words in KEY_WORDS.items()},
        "are_on": not request.user.shortcuts.get("off"),
    }
    return render(request, "portal/keys.html", context, status=400 if problem else 200)


def _kept(request: SignedInRequest, typed: dict[str, str], before: dict[str, str]) -> str:
    """Save the typed keys; return an error sentence, or empty on success.

    Keys chosen `before` for pages that the person cannot see now are kept, for example for a study
    that they may join again.
    """
    try:
        own = chosen_keys(typed, _groups_of(request.user), before)
    except UnknownKey as unknown:
        return _("“%(key)s” is not a key. Press the key in its field, or type its name.") % {
            "key": unknown
        }
    except KeyTaken as taken:
        first, second = (str(act.words) for act in taken.acts)
        return _("“%(key)s” is used for two actions: %(first)s, and %(second)s.") % {
            "key": taken.key,
            "first": first,
            "second": second,
        }
    set_shortcuts(user=request.user, keys=own)
    return ""


def _groups(request: SignedInRequest, typed: dict[str, str]) -> tuple[KeySettingGroup, ...]:
    own = _own(request.user)
    return tuple(
        KeySettingGroup(
            label=str(label),
            rows=tuple(
                KeySetting(
                    name=each.name,
                    words=str(each.words),
                    keys=typed.get(each.name, _in_words(keys_of(each, own))),
                    usual=_in_words(each.keys),
                    is_fixed=each.is_fixed,
                )
                for each in shortcuts
            ),
        )
        for label, shortcuts in (GROUPS[name] for name in _groups_of(request.user))
    )


def _own(user: User) -> dict[str, str]:
    return dict(user.shortcuts.get("keys", {}))


def _groups_of(user: User) -> tuple[str, ...]:
    """Return the groups of shortcuts whose pages this person can open."""
    shown: tuple[str, ...] = OF_EVERYBODY
    if user.can_review:
        shown += OF_COACHES
    if user.can_research or studies_for(user).exists():
        shown += OF_STUDIES
    return tuple(name for name in GROUPS if name in shown)


def _in_words(keys: Iterable[str]) -> str:
    return " ".join(typed_key(key) for key in keys)


@require_POST
@login_required
@do_not_replay
def switch(request: SignedInRequest) -> HttpResponse:
    """Switch single-key shortcuts on or off for this person, on all devices."""
    switch_shortcuts(user=request.user, are_on=request.POST.get("on") == "yes")
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204)
    return redirect("portal:keys")
