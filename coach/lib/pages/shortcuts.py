"""Keyboard shortcuts of the player and the review page: one registry for pages, scripts and the
list.

A template writes each as `data-shortcut` and `data-key`; a script registers its action under the
same name (`static/js/shortcuts.js`). So each key, and its description, is in one place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcut:
    """An action with its keys.

    `key` is the browser's name of it: a letter in lower case, or `Shift+ArrowUp` with Shift.
    Several keys are separated by spaces, and the space bar itself is `Space`.
    """

    name: str
    key: str
    words: str | Promise
    is_fixed: bool = False
    """Whether the keys are part of the meaning (the numbers of reasons), so that they cannot be
    changed."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Return each of its keys."""
        return tuple(self.key.split())


PLAYER = (
    Shortcut(name="play", key="Space k", words=_("play or pause")),
    Shortcut(name="back", key="j", words=_("10 s back")),
    Shortcut(name="forward", key="l", words=_("10 s forward")),
    Shortcut(name="step-back", key="ArrowLeft", words=_("1 s back")),
    Shortcut(name="step-forward", key="ArrowRight", words=_("1 s forward")),
    Shortcut(name="leap-back", key="Shift+ArrowLeft", words=_("5 s back")),
    Shortcut(name="leap-forward", key="Shift+ArrowRight", words=_("5 s forward")),
    Shortcut(name="frame-back", key=",", words=_("one picture back")),
    Shortcut(name="frame-forward", key=".", words=_("one picture forward")),
    Shortcut(name="loop", key="\\", words=_("repeat the moment of this item, or no longer")),
    Shortcut(name="zoom-in", key="+ =", words=_("a closer look at the timeline")),
    Shortcut(name="zoom-out", key="-", words=_("farther from the timeline")),
    Shortcut(name="zoom-all", key="0", words=_("the whole timeline")),
    Shortcut(name="search", key="/", words=_("search the transcript")),
    Shortcut(name="slower", key="<", words=_("slower")),
    Shortcut(name="faster", key=">", words=_("faster")),
)
DESK = (
    Shortcut(name="accept", key="a", words=_("accept")),
    Shortcut(name="edit", key="e", words=_("change the wording")),
    Shortcut(name="replace", key="r", words=_("put your own in its place")),
    Shortcut(name="reject", key="x", words=_("reject")),
    Shortcut(name="reason", key="1 2 3 4 5 6", words=_("why it is rejected"), is_fixed=True),
    Shortcut(name="hold", key="h", words=_("hold back")),
    Shortcut(name="up", key="Shift+ArrowUp", words=_("move it up")),
    Shortcut(name="down", key="Shift+ArrowDown", words=_("move it down")),
    Shortcut(name="add", key="n", words=_("add an item of your own")),
    Shortcut(name="facts", key="p", words=_("pick up a fact that was measured")),
    Shortcut(name="undo", key="u", words=_("undo your last step")),
    Shortcut(name="next-item", key="ArrowDown", words=_("the next item")),
    Shortcut(name="previous-item", key="ArrowUp", words=_("the item before")),
    Shortcut(name="mark-in", key="[", words=_("a clip begins here")),
    Shortcut(name="mark-out", key="]", words=_("the clip ends here")),
    Shortcut(name="note", key="m", words=_("write a note at this time")),
    Shortcut(name="correct", key="c", words=_("put the word that is being said right")),
    Shortcut(name="strike", key="f", words=_("remove the filler or look away just heard or seen")),
    Shortcut(name="word", key="w", words=_("a word to the trainee")),
    Shortcut(name="rubric", key="q", words=_("your levels")),
    Shortcut(name="takes", key="t", words=_("earlier takes")),
    Shortcut(name="summary", key="s", words=_("see what goes out, and release it")),
)
JUDGING = (
    Shortcut(name="judge-next", key="ArrowDown", words=_("the next item")),
    Shortcut(name="judge-before", key="ArrowUp", words=_("the item before")),
    Shortcut(name="judge-in", key="[", words=_("you see it from here")),
    Shortcut(name="judge-out", key="]", words=_("you see it up to here")),
    Shortcut(name="judge-undo", key="u", words=_("undo your last mark")),
    Shortcut(name="judge-keep", key="a", words=_("you would keep it")),
    Shortcut(name="judge-reject", key="x", words=_("you would reject it")),
    Shortcut(
        name="judge-reason", key="1 2 3 4 5 6", words=_("why you would reject it"), is_fixed=True
    ),
)
QUEUE = (
    Shortcut(name="next", key="c", words=_("take the next one")),
    Shortcut(name="look", key="v", words=_("look at the first one without claiming it")),
    Shortcut(name="undo-release", key="u", words=_("undo the release you just made")),
)
LOOK = (Shortcut(name="open-desk", key="c", words=_("open the review page")),)
CODING = (
    Shortcut(name="turn-next", key="ArrowDown", words=_("mark the next turn")),
    Shortcut(name="turn-before", key="ArrowUp", words=_("mark the turn before")),
    Shortcut(name="word-next", key="ArrowRight", words=_("mark the next word")),
    Shortcut(name="word-before", key="ArrowLeft", words=_("mark the word before")),
    Shortcut(name="longer", key="Shift+ArrowRight", words=_("mark one word more")),
    Shortcut(name="shorter", key="Shift+ArrowLeft", words=_("mark one word less")),
)
CODES = (
    Shortcut(
        name="code",
        key="1 2 3 4 5 6 7 8 9",
        words=_("apply the code of this number"),
        is_fixed=True,
    ),
    Shortcut(name="find-code", key="/", words=_("find a code by its letters, Enter applies it")),
    Shortcut(name="again", key="r", words=_("apply the last code again")),
    Shortcut(name="remove-coding", key="Delete x", words=_("take away the last code here")),
    Shortcut(name="undo-coding", key="u", words=_("undo your last step")),
    Shortcut(name="coding-memo", key="m", words=_("write a memo on the last code here")),
    Shortcut(name="text-memo", key="n", words=_("write a memo on the interview or take")),
)
FREE_CODING = (
    Shortcut(name="new-code", key="c", words=_("name a new code and apply it")),
    Shortcut(name="in-vivo", key="v", words=_("make the marked words a new code")),
    Shortcut(name="replace-code", key="e", words=_("replace the last code here")),
)
REDACTION = (
    Shortcut(name="redact-take", key="a", words=_("take it out")),
    Shortcut(name="redact-leave", key="x", words=_("leave it in the text")),
    Shortcut(name="redact-next", key="ArrowDown", words=_("the next proposal")),
    Shortcut(name="redact-previous", key="ArrowUp", words=_("the proposal before")),
    Shortcut(name="redact-mark", key="m", words=_("take out what is selected")),
)
SETTLING = (
    Shortcut(name="settle-next", key="ArrowDown", words=_("the next disagreement")),
    Shortcut(name="settle-before", key="ArrowUp", words=_("the disagreement before")),
    Shortcut(
        name="settle-coder",
        key="1 2 3 4 5 6 7 8 9",
        words=_("as the coder of this number coded it"),
        is_fixed=True,
    ),
    Shortcut(name="settle-whole", key="w", words=_("the code applies to the whole turn")),
    Shortcut(name="settle-none", key="0", words=_("the code does not apply here")),
    Shortcut(name="settle-code", key="c", words=_("another code applies instead")),
    Shortcut(name="settle-why", key="m", words=_("write why")),
    Shortcut(name="settle-undo", key="u", words=_("undo your last decision")),
)
SPANS = (
    Shortcut(name="span-play", key="Space k", words=_("play or pause")),
    Shortcut(name="span-back", key="j ArrowLeft", words=_("5 s back")),
    Shortcut(name="span-forward", key="l ArrowRight", words=_("5 s forward")),
    Shortcut(name="span-in", key="[", words=_("the stretch begins here")),
    Shortcut(name="span-out", key="]", words=_("the stretch ends here")),
    Shortcut(name="span-next", key="ArrowDown", words=_("mark the next line of the transcript")),
    Shortcut(name="span-before", key="ArrowUp", words=_("mark the line before")),
    Shortcut(name="span-longer", key="Shift+ArrowRight", words=_("mark one word more")),
    Shortcut(name="span-shorter", key="Shift+ArrowLeft", words=_("mark one word less")),
)
VOICES = (
    Shortcut(name="voice-play", key="Space k", words=_("play or pause")),
    Shortcut(name="voice-back", key="j ArrowLeft", words=_("3 s back")),
    Shortcut(name="voice-forward", key="l ArrowRight", words=_("3 s forward")),
    Shortcut(name="voice-next", key="ArrowDown", words=_("the next passage")),
    Shortcut(name="voice-before", key="ArrowUp", words=_("the passage before")),
    Shortcut(
        name="voice-number",
        key="1 2 3 4 5 6 7 8 9",
        words=_("it is the voice of this number"),
        is_fixed=True,
    ),
    Shortcut(name="voice-same", key="s", words=_("the same voice as before")),
    Shortcut(name="voice-open", key="n", words=_("the next passage that is nobody’s")),
    Shortcut(name="voice-rewrite", key="e", words=_("put the words right, or split them")),
    Shortcut(name="voice-join", key="m", words=_("join it to the passage before")),
)
REEL = (
    Shortcut(name="reel-play", key="Space k", words=_("play or pause")),
    Shortcut(name="reel-next", key="ArrowRight n", words=_("skip to the next moment")),
    Shortcut(name="reel-before", key="ArrowLeft p", words=_("the moment before")),
    Shortcut(name="reel-again", key="r", words=_("play this moment again")),
    Shortcut(name="reel-back", key="j", words=_("5 s back")),
    Shortcut(name="reel-forward", key="l", words=_("5 s forward")),
)
GENERAL = (Shortcut(name="keys", key="?", words=_("this list")),)

GROUPS: dict[str, tuple[str | Promise, tuple[Shortcut, ...]]] = {
    "player": (_("The recording"), PLAYER),
    "desk": (_("The items"), DESK),
    "judging": (_("A second opinion"), JUDGING),
    "queue": (_("The queue"), QUEUE),
    "look": (_("A look at a take"), LOOK),
    "coding": (_("Coding an interview"), CODING),
    "codes": (_("Codes"), CODES),
    "free": (_("Free coding"), FREE_CODING),
    "settling": (_("Disagreements between coders"), SETTLING),
    "spans": (_("Coding a take"), SPANS),
    "voices": (_("Who speaks in an interview"), VOICES),
    "reel": (_("A reel"), REEL),
    "redaction": (_("Names in an interview"), REDACTION),
    "general": (_("Everywhere"), GENERAL),
}
"""Groups by name: the heading and the shortcuts."""

SHIFT = "⇧"
KEY_WORDS: dict[str, str | Promise] = {
    "Space": pgettext_lazy("a key", "Space"),
    "Enter": pgettext_lazy("a key", "Enter"),
    "Delete": pgettext_lazy("a key", "Del"),
    "Backspace": pgettext_lazy("a key", "Backspace"),
    "Insert": pgettext_lazy("a key", "Ins"),
    "Home": pgettext_lazy("a key", "Home"),
    "End": pgettext_lazy("a key", "End"),
    "PageUp": pgettext_lazy("a key", "PgUp"),
    "PageDown": pgettext_lazy("a key", "PgDn"),
    "ArrowLeft": "←",
    "ArrowRight": "→",
    "ArrowUp": "↑",
    "ArrowDown": "↓",
}


def key_words(key: str) -> str:
    """Return a key as it is printed on the keyboard: `Shift+ArrowUp` is ⇧ ↑."""
    return typed_key(key).replace(SHIFT, f"{SHIFT} ", 1)


def typed_key(key: str) -> str:
    """Return a key as one word, for a field with several keys: `Shift+ArrowUp` is ⇧↑."""
    *shift, last = key.split("+") if len(key) > 1 else [key]
    words = str(KEY_WORDS.get(last, last.upper() if len(last) == 1 else last))
    return f"{SHIFT}{words}" if shift else words


_NAMED = {
    *("Space", "Enter", "Backspace", "Delete", "Insert", "Home", "End", "PageUp", "PageDown"),
    *("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"),
    *(f"F{number}" for number in range(1, 13)),
}


def keys_of(shortcut: Shortcut, own: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys of an action: the person's own if they chose any (perhaps none), or
    the default.
    """
    if shortcut.is_fixed or shortcut.name not in own:
        return shortcut.keys
    return tuple(own[shortcut.name].split())


def chosen_keys(
    typed: Mapping[str, str],
    groups: Collection[str] = tuple(GROUPS),
    before: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return the keys that differ from the defaults, from what a person typed for these groups.

    Keys that they had `before` in other groups stay. Raises UnknownKey for an invalid key, and
    KeyTaken if two actions would have the same one.
    """
    shown = {each.name for name in groups for each in GROUPS[name][1]}
    own = {name: keys for name, keys in (before or {}).items() if name not in shown}
    for shortcut in SHORTCUTS.values():
        if shortcut.is_fixed or shortcut.name not in shown.intersection(typed):
            continue
        keys = " ".join(_known(key) for key in typed[shortcut.name].split())
        if keys != shortcut.key:
            own[shortcut.name] = keys
    for page in PAGES:
        _check_each_key_does_one_thing([each for each in page if each.name in shown], own)
    return own


def _check_each_key_does_one_thing(page: Iterable[Shortcut], own: Mapping[str, str]) -> None:
    holders: dict[str, Shortcut] = {}
    for shortcut in page:
        for key in keys_of(shortcut, own):
            if key in holders:
                raise KeyTaken(key, holders[key], shortcut)
            holders[key] = shortcut


def _known(key: str) -> str:
    """Return the browser's name of a typed or printed key; `a` for `A`. Raises UnknownKey."""
    words = {str(said): name for name, said in KEY_WORDS.items()}
    if key.startswith(SHIFT) and len(key) > 1:
        return _known(f"Shift+{words.get(key[1:], key[1:])}")
    key = words.get(key, key)
    shift, _plus, last = key.rpartition("+") if len(key) > 1 else ("", "", key)
    if len(key) == 1 and key.isprintable():
        return key.lower()
    if last in _NAMED and shift in {"", "Shift"}:
        return key
    raise UnknownKey(key)


class UnknownKey(Exception):
    """A key that we do not know."""


class KeyTaken(Exception):
    """One key for two actions."""

    def __init__(self, key: str, *acts: Shortcut) -> None:
        super().__init__(key)
        self.key = key
        self.acts = acts


PAGES = (
    (*PLAYER, *DESK, *GENERAL),
    (*PLAYER, *JUDGING, *GENERAL),
    (*QUEUE, *GENERAL),
    (*PLAYER, *LOOK, *GENERAL),
    (*CODING, *CODES, *FREE_CODING, *GENERAL),
    (*SPANS, *CODES, *FREE_CODING, *GENERAL),
    (*SETTLING, *GENERAL),
    (*REDACTION, *GENERAL),
    (*VOICES, *GENERAL),
    (*REEL, *GENERAL),
)
"""Shortcuts on the same page, where each key must have one action."""
SHORTCUTS = {each.name: each for _words, group in GROUPS.values() for each in group}
