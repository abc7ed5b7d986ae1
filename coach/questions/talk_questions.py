"""Questions built from a talk: its figures, claims, repeated terms and slide titles.

Templates, no language model: the same transcript always gives the same questions.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from analysis.talk.languages import LanguageData, language_data, plain
from analysis.talk.number_words import is_everyday, is_unit
from coach.questions.models import QuestionKind
from coach.questions.sentences import SpokenSentence

_BEFORE, _AFTER = 4, 5
"""The number of quoted words before and after a claim: enough to recognise it by ear (rule of
thumb)."""
_LEAST_LETTERS, _LEAST_TIMES = 6, 4
"""The minimum length and number of occurrences of a term (rules of thumb)."""
_MOST_TITLE_WORDS = 10
_MOST_OF_A_TEMPLATE = 3
"""The maximum number of questions from one template, so that the kinds are mixed (rule of
thumb)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltQuestion:
    """A question with the sentence that it comes from; None for a slide title."""

    key: str
    kind: QuestionKind
    text: str
    sentence: SpokenSentence | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A pattern in a sentence, and the question about it; `never` cancels a match."""

    name: str
    kind: QuestionKind
    finds: Mapping[str, re.Pattern[str]]
    asks: Mapping[str, str]
    never: Mapping[str, re.Pattern[str]]
    is_window: bool = True
    """Whether the words around the match are quoted too."""


def _each(**patterns: str) -> dict[str, re.Pattern[str]]:
    return {code: re.compile(pattern, re.IGNORECASE) for code, pattern in patterns.items()}


_NUMBER = r"\d+(?:[.,\u00a0\u202f ]\d{3})*(?:[.,]\d+)?"
_MANY = r"(?:\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+|[1-9]\d{2}|[3-9]\d{3}|\d{5,})"
"""A whole number from 100 that is not a year."""
_FIGURES = _each(
    en=rf"[$€£]\s?{_NUMBER}(?:\s(?:thousand|million|billion))?"
    rf"|{_NUMBER}\s?%"
    rf"|{_NUMBER}\s(?:percent|per cent|thousand|million|billion|times|euros|dollars|pounds)\b"
    rf"|\b[a-z]+(?:-[a-z]+)?\s(?:percent|per cent)\b"
    rf"|\b{_MANY}\s(?!years?\b)[a-z]{{3,}}",
    fr=rf"{_NUMBER}\s?(?:%|€)"
    rf"|{_NUMBER}\s(?:pour cent|mille|millions?|milliards?|fois|euros)\b"
    rf"|\b[a-zà-ÿ]+(?:-[a-zà-ÿ]+)*\spour cent\b"
    rf"|\b{_MANY}\s(?!ans?\b)[a-zà-ÿ]{{3,}}",
)
_OWN_LIFE = _each(en=r"\b(?:i|i['’]\w+|my|me|mine)\b", fr=r"\b(?:(?:je|mon|ma|mes|moi)\b|[jm]['’])")
_NONE = _each(en=r"(?!)", fr=r"(?!)")

TEMPLATES: tuple[Template, ...] = (
    Template(
        name="figure_source",
        kind=QuestionKind.CLARIFYING,
        finds=_FIGURES,
        asks={
            "en": "You said “{quote}”. Where does that figure come from?",
            "fr": "Vous avez dit «\u00a0{quote}\u00a0». D’où vient ce chiffre\u00a0?",
        },
        never=_NONE,
        is_window=False,
    ),
    Template(
        name="figure_doubt",
        kind=QuestionKind.HOSTILE,
        finds=_FIGURES,
        asks={
            "en": "“{quote}”? I have read something quite different. Why should we believe you?",
            "fr": "«\u00a0{quote}\u00a0»\u00a0? J’ai lu tout autre chose. "
            "Pourquoi devrions-nous vous croire\u00a0?",
        },
        never=_NONE,
        is_window=False,
    ),
    Template(
        name="comparison",
        kind=QuestionKind.CLARIFYING,
        finds=_each(
            en=r"\b(?:more|less|fewer) (?!than\b)\w+ than\b"
            r"|\b(?!other|rather|whether)\w{2,}er than\b",
            fr=r"\b(?:plus|moins) (?!que\b)\w+ qu(?:e\b|['’])|\bmeilleure?s? qu(?:e\b|['’])",
        ),
        asks={
            "en": "You said: “{quote}”. By how much, and who measured it?",
            "fr": "Vous avez dit\u00a0: «\u00a0{quote}\u00a0». De combien, et qui l’a "
            "mesuré\u00a0?",
        },
        never=_OWN_LIFE,
    ),
    Template(
        name="superlative",
        kind=QuestionKind.CLARIFYING,
        finds=_each(
            en=r"\bthe (?:best|worst|biggest|largest|greatest|fastest|cheapest|safest|easiest|only"
            r"|(?:most|least) (?!of\b)\w+)\b",
            fr=r"\b(?:le|la|les) (?:meilleure?s?|pires?|seule?s?"
            r"|(?:plus|moins) (?!de\b|en\b|souvent\b|tard\b|tôt\b|possible\b)\w{3,})\b",
        ),
        asks={
            "en": "You said: “{quote}”. What did you compare it with?",
            "fr": "Vous avez dit\u00a0: «\u00a0{quote}\u00a0». À quoi l’avez-vous comparé\u00a0?",
        },
        never=_OWN_LIFE,
    ),
    Template(
        name="always",
        kind=QuestionKind.HOSTILE,
        finds=_each(
            en=r"\b(?<!not )(?:always|never|everyone|everybody|nobody|no one)\b",
            fr=r"\b(?<!pas )(?:toujours(?! pas| en\b)|jamais|tout le monde|personne ne"
            r"|systématiquement)\b",
        ),
        asks={
            "en": "You said: “{quote}”. Really? Without a single exception?",
            "fr": "Vous avez dit\u00a0: «\u00a0{quote}\u00a0». Vraiment\u00a0? Sans la moindre "
            "exception\u00a0?",
        },
        never=_OWN_LIFE,
    ),
    Template(
        name="proof",
        kind=QuestionKind.HOSTILE,
        finds=_each(
            en=r"\b(?:proves?|proven|undoubtedly|no doubt|undeniabl[ey]|certainly|guarantees?"
            r"|guaranteed|impossible)\b",
            fr=r"\b(?:prouvent|prouve|prouvée?s?|démontrent?|sans aucun doute|indéniable(?:ment)?"
            r"|garantit|garantie?s?|certainement|impossible)\b",
        ),
        asks={
            "en": "You said: “{quote}”. What would make you change your mind?",
            "fr": "Vous avez dit\u00a0: «\u00a0{quote}\u00a0». Qu’est-ce qui vous ferait changer "
            "d’avis\u00a0?",
        },
        never=_OWN_LIFE,
    ),
)
_TERM = {
    "en": "You used the word “{quote}” {count} times. How would you explain it to a ten-year-old?",
    "fr": "Le mot «\u00a0{quote}\u00a0» est revenu {count} fois. Comment l’expliqueriez-vous à un "
    "enfant de dix ans\u00a0?",
}
_BEFORE_A_VERB = {
    "en": frozenset(["i", "you", "he", "she", "it", "we", "they", "who"]),
    "fr": frozenset(
        {
            *("je", "tu", "il", "elle", "on", "nous", "vous", "ils", "elles"),
            *("ne", "me", "te", "se", "qui"),
        }
    ),
}
"""Words before a verb: what follows one of them anywhere in a talk is not a term."""
_TITLE = {
    "en": "Your slide says “{quote}”. Which point on it matters most?",
    "fr": "Votre diapositive dit «\u00a0{quote}\u00a0». Quel point y est le plus important\u00a0?",
}


def built_questions(
    sentences: Sequence[SpokenSentence], language: str, *, titles: Sequence[str] = ()
) -> tuple[BuiltQuestion, ...]:
    """Return the questions in the order of templates, then of the talk; none in other languages."""
    if language not in _TERM:
        return ()
    sure = [each for each in sentences if each.is_sure]
    return (
        *(found for each in TEMPLATES for found in _from_template(each, sure, language)),
        *_from_terms(sentences, language),
        *_from_titles(titles, language),
    )


def _from_template(
    template: Template, sentences: Sequence[SpokenSentence], language: str
) -> Iterator[BuiltQuestion]:
    seen: set[str] = set()
    for sentence in sentences:
        found = template.finds[language].search(sentence.text)
        if found is None:
            continue
        quote = _window(sentence.text, found) if template.is_window else found[0].strip()
        if quote.casefold() in seen or template.never[language].search(quote):
            continue
        seen.add(quote.casefold())
        yield BuiltQuestion(
            key=f"{template.name}:{sentence.start:.1f}",
            kind=template.kind,
            text=template.asks[language].format(quote=quote),
            sentence=sentence,
        )
        if len(seen) >= _MOST_OF_A_TEMPLATE:
            return


def _window(text: str, found: re.Match[str]) -> str:
    """Return the words around a match, with an ellipsis where the sentence goes on."""
    before, after = text[: found.start()].split(), text[found.end() :].split()
    lead, tail = before[-_BEFORE:], after[:_AFTER]
    # A word that the match ends in the middle of: "than" and its comma.
    glue = "" if text[found.end() : found.end() + 1].strip() else " "
    quote = f"{' '.join(lead)} {found[0]}{glue if tail else ''}{' '.join(tail)}"
    quote = quote.strip().rstrip(".,;:!?…")
    return ("… " if len(before) > _BEFORE else "") + quote + (" …" if len(after) > _AFTER else "")


def _from_terms(sentences: Sequence[SpokenSentence], language: str) -> Iterator[BuiltQuestion]:
    """Yield a question about the content word that is said most often."""
    data = language_data(language)
    forms: dict[str, Counter[str]] = defaultdict(Counter)
    first: dict[str, SpokenSentence] = {}
    verbs: set[str] = set()
    for sentence in sentences:
        words = [plain(word) for word in sentence.text.split()]
        for before, text in pairwise(["", *words]):
            if _is_term(text, data):
                stem = text.removesuffix("s")
                forms[stem][text] += 1
                first.setdefault(stem, sentence)
                if before in _BEFORE_A_VERB[language]:
                    verbs.add(stem)
    often = [(stem, found.total()) for stem, found in forms.items() if stem not in verbs]
    often = sorted(
        (each for each in often if each[1] >= _LEAST_TIMES), key=lambda it: (-it[1], it[0])
    )
    for stem, count in often[:_MOST_OF_A_TEMPLATE]:
        term = min(forms[stem], key=lambda form: (-forms[stem][form], form))
        yield BuiltQuestion(
            key=f"term:{stem}"[:80],
            kind=QuestionKind.FRIENDLY,
            text=_TERM[language].format(quote=term, count=count),
            sentence=first[stem],
        )


def _is_term(text: str, data: LanguageData) -> bool:
    return (
        len(text) >= _LEAST_LETTERS
        and text.isalpha()
        and text not in data.common_words
        and text not in data.clause_words
        and text not in data.number_words
        and not is_unit(text, data)
        and not is_everyday(text, data)
        and not any(text in phrase for phrase in data.habit_phrases)
    )


def _from_titles(titles: Sequence[str], language: str) -> Iterator[BuiltQuestion]:
    for place, title in enumerate(titles):
        words = title.split()
        if 1 < len(words) <= _MOST_TITLE_WORDS:
            yield BuiltQuestion(
                key=f"title:{place}",
                kind=QuestionKind.CLARIFYING,
                text=_TITLE[language].format(quote=" ".join(words)),
            )
