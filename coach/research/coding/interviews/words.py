"""Why a file was refused, and what was odd in one that was read, as sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as translate
from django.utils.translation import gettext_noop as _

from coach.lib.words.punctuation import within_quotes

_REFUSED: Final[Mapping[str, str]] = {
    "unknown_kind": _(
        "Rostrum reads .txt, .docx, .vtt, .srt and .otr. Save the transcript as one of these."
    ),
    "too_large": _("This is far more than a conversation takes. Split it, or leave out pictures."),
    "old_word": _(
        "This is an old .doc, or a document behind a password. Save it as .docx without one."
    ),
    "no_docx": _("This is no Word document that can be opened. Save it again as .docx."),
    "no_otr": _("This is no file of oTranscribe. Export it there again as .otr."),
    "no_captions": _("No caption with its times was found in it. Choose another file."),
    "no_text": _("The file is named .%(what)s and holds something else. Save it as that kind."),
    "many_voices": _(
        "More than %(what)s people would speak in it. Look at what stands before colons, and take "
        "out what names nobody."
    ),
    "empty": _("There are no words in it. Choose another file."),
}
_ODD: Final[Mapping[str, str]] = {
    "guessed_encoding": _(
        "The file does not say how it writes letters; it was read as %(what)s. Check the accents."
    ),
    "broken_letters": _("Some letters could not be read: “%(what)s”"),
    "left_out": _("The document has %(what)s; they are not taken in."),
    "no_caption": _("No words of anybody, so not taken in: “%(what)s”"),
    "ends_early": _("The caption ends before it begins; its beginning counts: %(what)s"),
    "too_late": _("No conversation lasts that long, so these times are left out: %(what)s"),
    "maybe_a_name": _("“%(what)s:” stands once and was read as words, not as somebody’s name."),
    "once_a_name": _("“%(what)s:” stands once and was read as somebody’s name."),
    "nobody_named": _("Nobody is named here: “%(what)s”"),
}
_PARTS: Final[Mapping[str, str]] = {"footnotes": _("footnotes"), "comments": _("comments")}
_MOST_SHOWN = 120


def refusal_words(code: str, what: str = "") -> str:
    """Why a file was not read, and what to do."""
    return translate(_REFUSED[code]) % {"what": what}


def odd_words(code: str, what: str = "") -> str:
    """One thing to look at."""
    what = translate(_PARTS[what]) if what in _PARTS else what
    short = what if len(what) <= _MOST_SHOWN else f"{what[:_MOST_SHOWN]}…"
    return translate(_ODD[code]) % {"what": within_quotes(short)}
