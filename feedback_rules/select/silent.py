"""Wording for a recording without sound, in which shares refer to the
recording instead of speech.
"""

from __future__ import annotations

from analysis.results import Report
from feedback_rules.model import Message, ReadingLanguage

_ABOUT_SHARES = ("figure", "unit", "comparison", "counterfactual")
_WITHOUT_SOUND: dict[ReadingLanguage, tuple[tuple[str, str], ...]] = {
    "en": (
        ("your speaking time", "the recording"),
        ("the speaking time", "the recording"),
        ("While you spoke, ", "In the recording, "),
    ),
    "fr": (
        ("votre temps de parole", "l’enregistrement"),
        ("du temps de parole", "de l’enregistrement"),
        ("le temps de parole", "l’enregistrement"),
        ("En parlant, ", "Dans l’enregistrement, "),
    ),
}


def adapted_to_media(message: Message, report: Report, language: ReadingLanguage) -> Message:
    """Return the message; without sound its shares are stated as shares of the whole recording."""
    if report.media.audio is not None:
        return message
    changed = {name: _of_the_recording(getattr(message, name), language) for name in _ABOUT_SHARES}
    return message.model_copy(update=changed)


def _of_the_recording(text: str, language: ReadingLanguage) -> str:
    for spoken, silent in _WITHOUT_SOUND[language]:
        text = text.replace(spoken, silent)
    return text
