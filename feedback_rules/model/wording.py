"""Wording checks: how cards may speak, whoever wrote them."""

from __future__ import annotations

import re

from feedback_rules.model.problems import RuleProblem, problem
from feedback_rules.model.values import ReadingLanguage

LEAST_WORDS = 25
MOST_WORDS: dict[ReadingLanguage, int] = {"en": 60, "fr": 65}
"""Most words on the front of a card, times not counted (rule of thumb). French needs more words:
limited to sixty, some cards become telegraphic.
"""
MOST_PART_WORDS = 30
MOST_EXERCISE_WORDS = 70
_LEAST_WORDS_BESIDE_A_NUMBER = 4

_BANNED: dict[ReadingLanguage, tuple[tuple[str, str], ...]] = {
    "en": (
        (r"too|bad|badly|poor|poorly|excellent|perfect|wrong|great|amazing|awful|weak", "judges"),
        (r"nervous\w*|confiden\w*|anxi\w*|stress\w*|shy\w*|bored|boring", "inner_state"),
        (r"enthusias\w*|passion\w*|engag\w*|insecure|unsure|afraid|fear\w*", "inner_state"),
        (r"happy|sad|angry|calm\w*|tense|tension|relaxed|excited|embarrass\w*", "inner_state"),
        (r"uncomfortable|hesitant|tired|motivat\w*|energetic|uncertain about", "inner_state"),
        (r"charisma\w*|personality|talent\w*|natural speaker|authentic\w*", "trait"),
        (r"arrogan\w*|lazy|assertive|sincer\w*|likeable|credib\w*|competent|dull", "trait"),
        (r"you should|you must|always|never|ideal speaker|normal people|ideal", "prescribes"),
        (r"score\w*|grade\w*|percentile|other speakers|better than|worse than", "compares_people"),
        (r"left|right", "names_a_side"),
        (r"eye contact", "claims_more"),
    ),
    "fr": (
        (r"trop|mauvais\w*|mal|nul\w*|excellent\w*|parfait\w*|faible\w*|horrible\w*", "judges"),
        (r"nerv\w*|confian\w*|anxi\w*|stress\w*|timid\w*|ennuy\w*|peur", "inner_state"),
        (r"enthousias\w*", "inner_state"),
        (r"passionn\w*|heureu\w*|triste\w*|colère|calme\w*|assurance", "inner_state"),
        (r"tendue?s?|détendu\w*|gêné\w*|fatigué\w*|motiv\w*|hésitante?s?", "inner_state"),
        (r"charism\w*|personnalité|talent\w*|authenti\w*", "trait"),
        (r"arrogan\w*|paresseu\w*|sincère\w*|sympathique\w*|crédib\w*|compétent\w*", "trait"),
        (r"il faut|vous devez|vous devriez|toujours|jamais|idéal\w*|gens normaux", "prescribes"),
        (r"notation|score\w*|mieux que|pire que|autres orateurs", "compares_people"),
        (r"gauche|droite?", "names_a_side"),
        (r"contact visuel", "claims_more"),
        (r"tu|ta|tes|toi", "says_tu"),
    ),
}
_COMPILED = {
    language: tuple(
        (re.compile(rf"(?<![\w’'])(?:{words})(?![\w])", re.IGNORECASE), why) for words, why in rows
    )
    for language, rows in _BANNED.items()
}
_INNER_STATES = tuple(
    re.compile(rf"(?<![\w’'])(?:{words})(?![\w])", re.IGNORECASE)
    for rows in _BANNED.values()
    for words, why in rows
    if why == "inner_state"
)
_SENTENCE = re.compile(r"(?<=[.?])\s+")
_QUOTED = re.compile(r"“[^“”]*”|«[^«»]*»")
_TIMES = re.compile(r"(?<!\d)\d{1,4}:\d\d")
_EMOJI = re.compile(r"[\U0001F300-\U0001FAFF\u2600-\u27BF]")
_HARD_SPACES = "\u00a0\u202f"
_FRENCH_MARK = re.compile(r"(?<=\S)[ \u00a0\u202f]?([;!?»%]|:(?!\d))")
_FRENCH_OPENING = re.compile("«[ \u00a0\u202f]?")


def word_count(text: str) -> int:
    """Return the number of words as a reader counts them; signs and times of the recording do not
    count.
    """
    parts = _TIMES.sub("", text).split()
    return sum(any(character.isalnum() for character in part) for part in parts)


def with_french_spaces(text: str) -> str:
    """Return the text with a non-breaking space before : ; ? ! » % and after «."""
    marked = _FRENCH_MARK.sub("\u00a0\\1", text)
    return _FRENCH_OPENING.sub("«\u00a0", marked)


def wording_problems(text: str, language: ReadingLanguage) -> tuple[RuleProblem, ...]:
    """Return the wording problems of one or more sentences; quoted words are the speaker's own.

    Banned words are specific to each language; the problem can be described in any.
    """
    own = _QUOTED.sub("“”", text)
    problems = [
        problem(why, words=found.group(0))
        for pattern, why in _COMPILED[language]
        for found in pattern.finditer(own)
    ]
    if "!" in own:
        problems.append(problem("exclamation"))
    if _EMOJI.search(own):
        problems.append(problem("emoji"))
    if re.search(r"\d[.,]\d", own):
        problems.append(problem("decimals"))
    problems += _bare_numbers(own)
    if language == "fr" and with_french_spaces(text) != text:
        problems.append(problem("french_spaces"))
    return tuple(problems)


def _bare_numbers(text: str) -> list[RuleProblem]:
    """Return problems for numbers without enough words next to them."""
    bare = []
    for sentence in _SENTENCE.split(text):
        without_times = _TIMES.sub("", sentence)
        if not re.search(r"\d", without_times):
            continue
        words = sum(part.strip(_HARD_SPACES + ".,;:()").isalpha() for part in sentence.split())
        if words < _LEAST_WORDS_BESIDE_A_NUMBER:
            bare.append(problem("bare_number", sentence=sentence))
    return bare


def card_problems(text: str, language: ReadingLanguage) -> tuple[RuleProblem, ...]:
    """Return the problems of a whole card."""
    problems = list(wording_problems(text, language))
    words = word_count(text)
    most = MOST_WORDS[language]
    if not LEAST_WORDS <= words <= most:
        problems.append(problem("card_length", words=words, least=LEAST_WORDS, most=most))
    return tuple(problems)


def inner_states_in(text: str) -> tuple[str, ...]:
    """Return words, English or French, for a person's feelings, which must never be inferred from a
    talk.
    """
    return tuple(found.group() for each in _INNER_STATES for found in each.finditer(text))
