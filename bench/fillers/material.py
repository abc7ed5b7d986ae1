"""Texts of the synthetic voices: phrases around fillers, fillers, and similar-sounding words.

A bar marks where a sentence is cut into parts that are spoken separately.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

SENTENCES: Mapping[str, Sequence[str]] = {
    "en": (
        "Good morning everyone|and thank you for coming",
        "So|the first point is|quite simple",
        "We looked at|three hundred schools|over two years",
        "Most of us speak faster|than we think",
        "What I want to show you|is the price of waiting",
        "In the spring|we asked the teachers|what they needed",
        "Because|nobody had a plan|we wrote one ourselves",
        "The second reason|is the weather",
        "Her answer was|not what I expected",
        "If you remember one thing|let it be this",
        "They said that|the bus would come|at half past seven",
        "My mother is a nurse|and my father drives a truck",
        "Last year|the river rose by two metres",
        "But|there is another way of looking at it",
        "A good question|is worth more than|a quick answer",
        "The results are on the next page|as you can see",
        "I was going to say|that we agree",
        "Half of the money|went into new computers",
        "And then|all of a sudden|the lights went out",
        "We need a team|that likes to learn",
        "It took us longer|than the others",
        "You may ask|why this matters",
        "The answer|lies in the numbers",
        "Some of the older people|had never seen the sea",
        "Let me give you|an example from my own work",
        "This graph shows|the cost per month",
        "There are two problems with that idea",
        "We could either wait|or we could start today",
        "Our customers|want it cheaper|and they want it now",
        "Imagine a city|without a single car",
        "The other thing is|that it hurts",
        "He walked up to the door|and opened it",
        "For me|the best part was|the journey home",
        "To sum up|we have to choose",
        "I never thought|it would work|but it did",
        "Nine out of ten patients|felt better after a week",
        "The lecture was about|the history of paper",
        "Please look at|the upper half of the picture",
        "Water is heavier than oil|of course",
        "That is why|I am here tonight",
    ),
    "fr": (
        "Bonjour à tous|et merci d'être venus",
        "Alors|le premier point est|assez simple",
        "Nous avons interrogé|deux cents élèves|pendant un an",
        "Ce que je veux vous montrer|c'est le prix de l'attente",
        "Au printemps|les professeurs ont demandé|un peu plus de temps",
        "Parce que|personne n'avait de plan|nous en avons écrit un",
        "La deuxième raison|c'est la météo",
        "Il y a deux problèmes|avec cette idée",
        "Si vous retenez une chose|que ce soit celle-ci",
        "L'année dernière|la rivière est montée de deux mètres",
        "Mais|on peut voir les choses autrement",
        "La moitié de l'argent|est allée dans les ordinateurs",
        "Et puis|tout à coup|la lumière s'est éteinte",
        "Vous allez me demander|pourquoi c'est important",
        "La réponse|se trouve dans les chiffres",
        "Je vous donne|un exemple de mon travail",
        "Nos clients|le veulent moins cher|et ils le veulent maintenant",
        "Imaginez une ville|sans une seule voiture",
        "Pour moi|le meilleur moment|c'était le retour",
        "En résumé|il faut choisir",
        "Neuf patients sur dix|allaient mieux au bout d'une semaine",
        "C'est pour cela|que je suis là ce soir",
        "Ceux qui peuvent|viennent avec eux le jeudi",
        "Le feu était bleu|et un peu dangereux",
    ),
}

LIKE_FILLERS: Mapping[str, Sequence[str]] = {
    "en": (),
    "fr": (
        "Il reste une demi-heure|avant neuf heures",
        "Leur sœur a peur|des longueurs",
        "Plusieurs chercheurs|ont eu le même bonheur",
        "Ce jeudi|deux lecteurs heureux|ont fait mieux",
        "Le professeur|demande un peu de douceur",
        "Ceux qui veulent|peuvent venir à deux heures",
        "Les visiteurs ailleurs|sont plus nombreux",
        "La couleur du feu|fait peur aux voyageurs",
        "La moitié des acteurs|a moins d'une demi-heure",
        "Seul un œuf|au milieu du beurre",
    ),
}
"""Sentences full of words that sound like fillers; in English the ordinary ones are."""

FILLERS: Mapping[str, Sequence[tuple[str, str]]] = {
    "en": (
        ("um", "ʌm"), ("um", "ʌːm"), ("um", "ˈʌːːm"), ("um", "əːm"), ("um", "ʌmː"), ("um", "ɜːm"),
        ("uh", "ʌː"), ("uh", "ʌːː"), ("uh", "əː"), ("uh", "ˈʌ"), ("uh", "ɜː"), ("uh", "əːː"),
        ("uh", "ɐː"), ("um", "əmː"),
    ),
    "fr": (
        ("euh", "øː"), ("euh", "ˈøːː"), ("euh", "əː"), ("euh", "œː"), ("euh", "ˈœːː"),
        ("euh", "əːː"), ("euh", "øːm"), ("euh", "ø"),
    ),
}  # fmt: skip
"""Fillers as a written word with phonemes."""

SHORT_FILLERS: Mapping[str, Sequence[str]] = {"en": ("ˈʌm", "ˈʌ"), "fr": ("ˈø",)}
"""Fillers as a voice reads them in a text."""

TRAPS: Mapping[str, Sequence[str]] = {
    "en": (
        "ðəː", "ðəːː", "ændː", "soʊːː", "aɪːː", "ˈʌhˌʌ", "mˈhm", "hɜː", "hˈɜː ænd", "ɔːɹ", "lˈaɪk",
        "wˈɛlː", "bʌtː", "ɑːɹ", "ˈoʊ", "nˈoʊː", "əv", "tə", "ə", "ˈeɪː", "fɔːɹ", "ðˈɛɹ", "jˈɛə",
        "b b b bˈʌt", "sːːˈoʊ", "mːːˈaɪ", "wˈʌn", "kˈʌm", "sˈʌm", "ðˈʌs", "ˈʌp", "ˈʌvən", "wʌzː",
        "aɪ aɪ aɪ", "ðə ðə", "hˈoʊm", "jˈuːː", "wiːː", "ˈʌndɚ",
    ),
    "fr": (
        "ləː", "dəː", "kəː", "ʒəː", "dˈø", "ˈø", "pˈø", "vˈø", "sˈø", "eːː", "ɛːː", "mɛːː", "dˈɔ̃kː",
        "wˈiː", "nˈɔ̃", "œ̃ː", "bˈɛ̃ː", "vwalˈa", "kˈwa", "ˈo", "fˈø", "blˈø", "mˈm", "ʒə ʒə", "lə lə",
        "alˈɔːʁ", "ˈyn", "ˈaː",
    ),
}  # fmt: skip
"""Drawn-out and short words, repetitions, blocks, and hums of agreement, none of them a filler."""
