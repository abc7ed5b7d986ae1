"""Words of the synthetic study in several scripts, and its codes."""

from __future__ import annotations

from typing import Final

GIVEN: Final = (
    "Aurelvin", "Brisenka", "Caldoran", "Delphira", "Eskarine", "Fenwicke", "Galdemir", "Hesperin",
    "Isolvane", "Jorvanne", "Kestrina", "Lorimond", "Maravelk", "Norvelin", "Osterina", "Pelliane",
    "Quintavel", "Rosamunde", "Selvarine", "Thornika", "Ulverin", "Vespiane", "Wilmarek",
    "Xanthira", "Yselvane", "Zephirin", "Ambrosek", "Belisande", "Corvinel", "Dariolet",
)  # fmt: skip
FAMILY: Final = ("Ashgrovane", "Brinkmere", "Castelloux", "Dunwintery", "Eldermarch")
"""Invented, so that no sentence holds one by accident."""

ASKED: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "How do you usually prepare a talk?",
        "What did the feedback change for you?",
        "When would you rather hear it from a person?",
    ),
    "fr": (
        "Comment préparez-vous une intervention ?",
        "Qu’est-ce que les retours ont changé pour vous ?",
        "Quand préférez-vous l’entendre d’une personne ?",
    ),
    "ar": ("كيف تحضّر عرضك عادةً؟", "ماذا غيّرت الملاحظات؟", "متى تفضّل رأي المدرّب؟"),
}

SAID: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "I read the numbers first, then I ask [NAME-1] what they mean 🙂",
        "Two remarks are enough; with five I do not know where to begin.",
        "The pauses were counted right, but the point was the story, not the pauses.",
        "I practise at night 🌙 when nobody can listen, and that is what it is good for.",
        "My coach at [ORG-1] hears what I want to say; the machine hears how fast.",
        "It said eight ums a minute. Fine. But why does that matter for a wedding?",
        "I would like to see how it came to that, otherwise I do not believe it.",
        "If everybody followed it we would all speak the same 👩🏽‍🏫👨‍💻.",
        "The exercise helped: one breath before each number.",
        "My hands shake before I begin; nothing in the report is about that.",
    ),
    "fr": (
        "Je regarde d’abord ce qui a marché, puis une seule chose à travailler.",
        "À [PLACE-1], on m’a dit que je parlais vite ; ici j’ai vu où, à quel moment.",
        "Le coach comprend l’intention, l’outil mesure le débit : les deux se complètent 🎯.",
        "Trois remarques, c’est déjà beaucoup quand on répète le soir.",
        "Je veux garder ma façon de parler, même si elle n’est pas dans la norme.",
        "Ça m’a aidée de recommencer tout de suite, sans témoin 😌.",
    ),
    "ar": (
        "أتدرّب مرّات كثيرة لأنّ الأداة متاحة دائمًا 🙂.",
        "المدرّب في [ORG-1] يفهم الهدف، والأداة تقيس السرعة فقط.",
        "ملاحظتان تكفيان، والباقي يشتّت.",
    ),
    "vi": (
        "Tôi tập vào buổi tối, và nghe lại từng đoạn ngắn 🎧.",
        "q\u0303uan trọng là câu chuyện, m\u0306ột con số không nói hết.",
    ),
}
"""`[NAME-1]` and its like stand where names were; the last language has combining marks that no
precomposed letter replaces."""

LANGUAGES: Final = ("en", "en", "en", "fr", "fr", "ar", "vi")

CODES: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("Division of labour", "#2a9d8f", ("machine measures", "coach judges")),
    ("Volume and selection", "#e9c46a", ("few remarks", "where to begin")),
    ("Hierarchy of criteria", "#f4a261", ("story before detail",)),
    ("Linking measures to quality", "#e76f51", ("no universal norm", "what it signals")),
    ("Transparency", "#264653", ("how it was made", "doubting a figure")),
    ("Context", "#6d597a", ("occasion", "listeners")),
    ("Own style", "#b56576", ("sounding alike",)),
    ("Tone", "#355070", ("what worked first",)),
    ("Stage fright", "#8ab17d", ("missing in the tool",)),
    ("Benefits", "#457b9d", ("practise again", "nobody listens", "always there")),
    ("Integration into coaching", "#9c6644", ("exercise", "progress")),
)
"""The themes T1 to T11 of Fourati et al. (2025) as categories, with codes below them."""

EXPERTS_ASIDE: Final = "From here on we only note what surprised us 📝"
