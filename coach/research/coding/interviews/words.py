"""Sentences for rejected files, and for problems in accepted ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as translate
from django.utils.translation import gettext_noop as _

from coach.lib.words.punctuation import within_quotes

_REFUSED: Final[Mapping[str, str]] = {
    "unknown_kind": _(
        "Rostrum reads .txt, .docx, .odt, .rtf, .pdf, .vtt, .srt and .otr. Save the transcript as "
        "one of these."
    ),
    "too_large": _("This file is too large for an interview. Split it, or remove pictures."),
    "old_word": _(
        "This is an old .doc file or a password-protected document. Save it as .docx "
        "without a password."
    ),
    "no_docx": _("We cannot open this Word document. Save it again as .docx."),
    "no_odt": _("We cannot open this OpenDocument text. Save it again as .odt."),
    "no_rtf": _("We cannot open this Rich Text document. Save it again as .rtf."),
    "rtf_changes": _(
        "This document has tracked changes, and deleted words would come back. Accept or reject "
        "them, and save it again."
    ),
    "no_pdf": _("We cannot open this PDF file. Export it again, or save it as .docx."),
    "pdf_password": _("This PDF file has a password. Save it without one."),
    "scanned_pdf": _(
        "This PDF file has no text, as a scan has none. Choose a file with the text itself."
    ),
    "no_otr": _("This is not an oTranscribe file. Export it again as .otr."),
    "no_captions": _("No timed captions were found. Choose another file."),
    "no_text": _(
        "The file name ends in .%(what)s, but its content is of another type. Save "
        "it in that format."
    ),
    "many_voices": _(
        "This would give more than %(what)s speakers. Check the words before colons, "
        "and remove those that are not speakers."
    ),
    "empty": _("The file contains no text. Choose another file."),
}
_ODD: Final[Mapping[str, str]] = {
    "guessed_encoding": _(
        "The file does not declare its character encoding; it was read as %(what)s. "
        "Check the accents."
    ),
    "broken_letters": _("Some characters could not be read: “%(what)s”"),
    "left_out": _("The document contains %(what)s; they are not imported."),
    "joined_lines": _(
        "A PDF file has lines, but no paragraphs: they were put together, and page numbers were "
        "left out. Compare the turns with the file."
    ),
    "no_caption": _("Skipped, contains no speech: “%(what)s”"),
    "ends_early": _("The caption ends before it starts; only its start time is used: %(what)s"),
    "too_late": _("These times are too long for an interview and are ignored: %(what)s"),
    "maybe_a_name": _("“%(what)s:” occurs once and was read as speech, not as a speaker’s name."),
    "once_a_name": _("“%(what)s:” occurs once and was read as a speaker’s name."),
    "nobody_named": _("No speaker is named here: “%(what)s”"),
}
_PARTS: Final[Mapping[str, str]] = {"footnotes": _("footnotes"), "comments": _("comments")}
_MOST_SHOWN = 120


def refusal_words(code: str, what: str = "") -> str:
    """Return why a file was rejected, and what to do."""
    return translate(_REFUSED[code]) % {"what": what}


def odd_words(code: str, what: str = "") -> str:
    """Return a problem as a sentence."""
    what = translate(_PARTS[what]) if what in _PARTS else what
    short = what if len(what) <= _MOST_SHOWN else f"{what[:_MOST_SHOWN]}…"
    return translate(_ODD[code]) % {"what": within_quotes(short)}
