"""Sentences of the explanations, in both languages, one per member of a closed list."""

from __future__ import annotations

from analysis.results import Reason
from feedback_rules.model import OWN_TAKES, USUALLY_NONE, HeldBackReason, Outcome, ReadingLanguage

FOCUS: dict[ReadingLanguage, str] = {
    "en": "This was your focus last time and it is still past our line{stands}, so it stays first.",
    "fr": "C’était votre priorité la dernière fois, et c’est encore au-delà de notre "
    "repère{stands}\u00a0: elle reste donc la première.",
}
RAISED: dict[ReadingLanguage, str] = {
    "en": "We spoke up because this is {far} past our line{stands}{tail}.",
    "fr": "Nous en parlons parce que c’est {far} au-delà de notre repère{stands}{tail}.",
}
NAMED: dict[ReadingLanguage, str] = {
    "en": "We name this because it {far} what we look for{stands}{tail}.",
    "fr": "Nous le citons parce que cela {far} ce que nous cherchons{stands}{tail}.",
}
FAR: dict[ReadingLanguage, tuple[str, str, str]] = {
    "en": ("just", "clearly", "far"),
    "fr": ("un peu", "nettement", "bien"),
}
"""Distance of the value beyond the threshold, from slight to far."""
REACHES: dict[ReadingLanguage, tuple[str, str, str]] = {
    "en": ("just reaches", "clearly reaches", "goes far beyond"),
    "fr": ("atteint tout juste", "atteint nettement", "dépasse de loin"),
}
"""The same for a strength."""
STANDS: dict[ReadingLanguage, str] = {
    "en": " ({value}; the line is {edge})",
    "fr": " ({value}\u00a0; le repère est {edge})",
}
TAILS: dict[ReadingLanguage, dict[str, str]] = {
    "en": {
        "goal": ", and it belongs to the goal that you chose",
        "at_once": ", and you can try it at once",
    },
    "fr": {
        "goal": ", et cela correspond à l’objectif que vous avez choisi",
        "at_once": ", et vous pouvez l’essayer tout de suite",
    },
}
CONFIDENCE: dict[ReadingLanguage, tuple[str, str, str]] = {
    "en": (
        "The measurement is less sure than others.",
        "The measurement is fairly sure.",
        "The measurement is sure.",
    ),
    "fr": (
        "La mesure est moins fiable que d’autres.",
        "La mesure est plutôt fiable.",
        "La mesure est fiable.",
    ),
}
CONTEXT: dict[ReadingLanguage, tuple[str, str]] = {
    "en": ("For this kind of talk it counts less.", "For this kind of talk it counts a lot."),
    "fr": (
        "Pour ce genre de prise de parole, cela compte moins.",
        "Pour ce genre de prise de parole, cela compte beaucoup.",
    ),
}
"""Used only if a weight was set for this kind of talk."""
NOVELTY: dict[ReadingLanguage, tuple[str, str]] = {
    "en": (
        "You have seen it before.",
        (
            "You have seen it before; its figure is better by a tenth or more, which our error of "
            "measuring alone could explain."
        ),
    ),
    "fr": (
        "Vous l’avez déjà vu.",
        (
            "Vous l’avez déjà vu\u00a0; le chiffre s’est amélioré d’un dixième ou plus, ce que "
            "notre erreur de mesure suffirait à expliquer."
        ),
    ),
}
"""Used only for an item seen before. Last time's interval is unknown, so no change is claimed."""
LOWERS: dict[ReadingLanguage, dict[str, str]] = {
    "en": {
        "quality": "It would be surer with a longer or clearer recording.",
        "body": "So far tested on computer-made figures, not on people.",
        "heard": "We could use about {share}% of your speech.",
        "seen": "We saw your face for about {share}% of your speech.",
        "interval": "We do not know yet how far off this can be.",
    },
    "fr": {
        "quality": "Ce serait plus sûr avec un enregistrement plus long ou plus net.",
        "body": "Testé jusqu’ici sur des silhouettes de synthèse, pas sur des personnes.",
        "heard": "Environ {share}\u00a0% de votre parole était exploitable.",
        "seen": "Nous avons vu votre visage pendant environ {share}\u00a0% de votre parole.",
        "interval": "Nous ne savons pas encore de combien cette mesure peut se tromper.",
    },
}
GRADES: dict[ReadingLanguage, dict[str, str]] = {
    "en": {
        "A": "Evidence A: a study tested what it does to an audience.",
        "B": "Evidence B: compared with usual values, or with your own takes or limit; where the "
        "line lies is our choice.",
        "C": "Evidence C: a custom among coaches, not tested; shown only with a second sign.",
        "coach": "Evidence C: a custom among coaches, not tested; shown once a coach agrees.",
    },
    "fr": {
        "A": "Niveau de preuve A\u00a0: une étude a testé l’effet sur le public.",
        "B": "Niveau de preuve B\u00a0: comparé à des valeurs usuelles, ou à vos propres prises ou "
        "limites\u00a0; le seuil est notre choix.",
        "C": "Niveau de preuve C\u00a0: un usage de coachs, non testé\u00a0; montré "
        "seulement avec un second indice.",
        "coach": "Niveau de preuve C\u00a0: un usage de coachs, non testé\u00a0; montré une fois "
        "qu’un coach est d’accord.",
    },
}
COUNTED: dict[ReadingLanguage, str] = {
    "en": "Rule {rule}, version {version}, by {author}; source: {source}.",
    "fr": "Règle {rule}, version {version}, par {author}\u00a0; source\u00a0: {source}.",
}
AUTHORS: dict[ReadingLanguage, dict[str, str]] = {
    "en": {},
    "fr": {"Rostrum project": "le projet Rostrum"},
}
"""Translations of authors that are not personal names."""
NOTHING: dict[ReadingLanguage, str] = {
    "en": "Nothing in this take stood out with enough certainty to be worth your attention. "
    "Choose one passage that matters to you and record it again, or ask a coach.",
    "fr": "Rien dans cette prise ne ressort avec assez de certitude pour mériter votre attention. "
    "Choisissez un passage qui compte pour vous et enregistrez-le à nouveau, ou demandez à un "
    "coach.",
}
HELD: dict[ReadingLanguage, dict[HeldBackReason, str]] = {
    "en": {
        HeldBackReason.WAITS_FOR_COACH: "It waits for a coach: this is for a person to judge.",
        HeldBackReason.SAME_QUALITY: "Like “{by}” it is about {kind}, and we show one of a kind.",
        HeldBackReason.SAME_MODALITY: "Like “{by}” it is about {kind}, and we show one of a kind.",
        HeldBackReason.OUTRANKED: "We name two things to work on at most, and “{by}” comes first "
        "here.",
        HeldBackReason.NO_STRENGTH: "No strength was found with certainty, so only one thing is "
        "shown.",
        HeldBackReason.ABOUT_RECORDING: "It is about the recording, not about how you spoke.",
        HeldBackReason.CONTRADICTS: "Something else in this talk does not go with that praise.",
        HeldBackReason.ONE_STRENGTH: "We name one strength, and “{by}” has a place that you can "
        "play.",
        HeldBackReason.VARIETY: "We name one strength, and “{by}” is about something other than "
        "what you are working on.",
        HeldBackReason.SLIGHT: "It is slight here, and your attention is worth more.",
    },
    "fr": {
        HeldBackReason.WAITS_FOR_COACH: "Ce point attend un coach : c’est à une personne d’en "
        "juger.",
        HeldBackReason.SAME_QUALITY: "Comme «\u00a0{by}\u00a0», cela touche {kind}\u00a0: un "
        "seul point de chaque sorte.",
        HeldBackReason.SAME_MODALITY: "Comme «\u00a0{by}\u00a0», cela touche {kind}\u00a0: un "
        "seul point de chaque sorte.",
        HeldBackReason.OUTRANKED: "Nous citons deux points à travailler au plus, et "
        "«\u00a0{by}\u00a0» passe d’abord ici.",
        HeldBackReason.NO_STRENGTH: "Aucun point fort n’est assez sûr\u00a0: un seul point est "
        "donc montré.",
        HeldBackReason.ABOUT_RECORDING: "Cela touche à l’enregistrement, pas à votre façon de "
        "parler.",
        HeldBackReason.CONTRADICTS: "Un autre constat sur cette prise contredit ce compliment.",
        HeldBackReason.ONE_STRENGTH: "Nous ne citons qu’un point fort, et « {by} » correspond à un "
        "passage à réécouter.",
        HeldBackReason.VARIETY: "Nous ne citons qu’un point fort, et « {by} » touche à autre "
        "chose que votre priorité.",
        HeldBackReason.SLIGHT: "C’est peu de chose ici ; gardez votre attention pour le reste.",
    },
}
WEIGHS_MORE: dict[ReadingLanguage, str] = {
    "en": "We name one strength, and “{by}” weighs more here.",
    "fr": "Nous ne citons qu’un point fort, et «\u00a0{by}\u00a0» pèse davantage ici.",
}
"""Reason for outranking a strength: there is one place for it, however few cards there are."""
KINDS: dict[ReadingLanguage, dict[str, str]] = {
    "en": {
        "clarity": "clarity",
        "fluency": "fluency",
        "vocal_variety": "the variety of your voice",
        "presence": "presence",
        "audience_contact": "contact with the audience",
        "structure": "structure",
        "words": "words",
        "speech": "the sounds between words",
        "voice": "the voice",
        "timing": "timing",
        "face": "where you face",
        "body": "the body",
        "recording": "the recording",
    },
    "fr": {
        "clarity": "à la clarté",
        "fluency": "à la fluidité",
        "vocal_variety": "à la variété de la voix",
        "presence": "à la présence",
        "audience_contact": "au contact avec le public",
        "structure": "à la structure",
        "words": "aux mots",
        "speech": "aux sons entre les mots",
        "voice": "à la voix",
        "timing": "au rythme",
        "face": "à la direction du visage",
        "body": "au corps",
        "recording": "à l’enregistrement",
    },
}
"""Common ground of two items, by quality and by modality."""
SILENT: dict[ReadingLanguage, dict[Outcome, str]] = {
    "en": {
        Outcome.FIRED: "It had something to say.",
        Outcome.NOT_ACTIVE: "The rule is not in use.",
        Outcome.DISABLED_BY_PROFILE: "You asked for this not to be analysed.",
        Outcome.QUIET_BY_PROFILE: "You asked for no card about this.",
        Outcome.MISSING_CONTEXT: "It needs to know more about the talk.",
        Outcome.OTHER_CONTEXT: "It does not fit this kind of talk.",
        Outcome.OTHER_LANGUAGE: "Its values were not tested in this language.",
        Outcome.NO_MEDIA: "There is no sound or picture for it.",
        Outcome.UNRELIABLE_HERE: "Something about this recording makes it unreliable.",
        Outcome.NOT_MEASURED: "It could not be measured.",
        Outcome.LOW_QUALITY: "The measurement was not clear enough.",
        Outcome.LOW_COVERAGE: "Not enough of the talk could be measured.",
        Outcome.FEW_OBSERVATIONS: "There were not enough places to judge from.",
        Outcome.TOO_SHORT: "It needs a talk of {seconds} seconds or more.",
        Outcome.UNSURE_WORDS: "We could not be sure of the words, so we compare them with nothing.",
        Outcome.SIGNAL_GATE: "The sound was not clear enough for it.",
        Outcome.NO_INTERVAL: "There is no range of uncertainty, so nothing is said.",
        Outcome.IN_BAND: "Measured, and nothing that we would raise.",
        Outcome.MEANS_OTHERWISE: "Something else in the talk shows that it was meant.",
        Outcome.NO_CO_SIGNAL: "There was only one sign of it, and it needs two.",
        Outcome.NO_EVIDENCE: "There was no moment to show.",
        Outcome.LOW_CONFIDENCE: "It was not sure enough.",
        Outcome.MERGED: "It was taken into another item about the same thing.",
        Outcome.QUOTE_MISMATCH: "The words to quote are not in the transcript there, or were "
        "heard with doubt.",
        Outcome.OUTSIDE_MEDIA: "Its moments lie outside the recording.",
    },
    "fr": {
        Outcome.FIRED: "La règle avait quelque chose à dire.",
        Outcome.NOT_ACTIVE: "La règle n’est pas en service.",
        Outcome.DISABLED_BY_PROFILE: "Vous avez demandé que ceci ne soit pas analysé.",
        Outcome.QUIET_BY_PROFILE: "Vous avez demandé qu’aucune carte n’en parle.",
        Outcome.MISSING_CONTEXT: "Il lui manque une information sur la prise de parole.",
        Outcome.OTHER_CONTEXT: "Elle ne convient pas à ce genre de prise de parole.",
        Outcome.OTHER_LANGUAGE: "Ses valeurs n’ont pas été testées dans cette langue.",
        Outcome.NO_MEDIA: "Il n’y a pas de son ou d’image pour cela.",
        Outcome.UNRELIABLE_HERE: "Quelque chose dans cet enregistrement la rend peu fiable.",
        Outcome.NOT_MEASURED: "Ce n’était pas mesurable.",
        Outcome.LOW_QUALITY: "La mesure n’était pas assez nette.",
        Outcome.LOW_COVERAGE: "Une part insuffisante de l’intervention était mesurable.",
        Outcome.FEW_OBSERVATIONS: "Il y avait peu d’endroits pour en juger.",
        Outcome.TOO_SHORT: "Elle demande une intervention de {seconds} secondes ou plus.",
        Outcome.UNSURE_WORDS: "La reconnaissance des mots était incertaine\u00a0: nous ne "
        "comparons donc rien.",
        Outcome.SIGNAL_GATE: "Le son n’était pas assez net pour cela.",
        Outcome.NO_INTERVAL: "Sans marge d’incertitude, rien n’est dit.",
        Outcome.IN_BAND: "Mesuré, et rien à signaler.",
        Outcome.MEANS_OTHERWISE: "Autre chose dans la prise montre que c’était voulu.",
        Outcome.NO_CO_SIGNAL: "Il n’y en avait qu’un indice, et deux sont nécessaires.",
        Outcome.NO_EVIDENCE: "Il n’y avait aucun moment à montrer.",
        Outcome.LOW_CONFIDENCE: "Ce n’était pas assez sûr.",
        Outcome.MERGED: "Ce point est réuni avec un autre qui touche à la même chose.",
        Outcome.QUOTE_MISMATCH: "Les mots à citer ne sont pas dans la transcription à cet instant, "
        "ou restent incertains.",
        Outcome.OUTSIDE_MEDIA: "Ses moments sont hors de l’enregistrement.",
    },
}
TOO_UNCERTAIN: dict[ReadingLanguage, str] = {
    "en": "Measured, with too wide a range to raise it. A longer take helps.",
    "fr": "Mesuré, avec une marge trop large pour en parler. Une prise plus longue aiderait.",
}
"""Used if the value is past the threshold, but the end of its interval is not."""
OWN_USUAL: dict[ReadingLanguage, dict[str, str]] = {
    "en": {
        OWN_TAKES: "It compares with what is usual for you; that takes three earlier takes in the "
        "same language and setting.",
        USUALLY_NONE: "What is usual for you is zero here, so there is nothing to compare with.",
    },
    "fr": {
        OWN_TAKES: "Elle compare avec ce qui est habituel pour vous\u00a0; cela demande trois "
        "prises antérieures dans la même langue et le même cadre.",
        USUALLY_NONE: "Votre valeur habituelle est ici de zéro\u00a0: aucune comparaison n’est "
        "possible.",
    },
}
"""Missing reference of a rule that compares with the person's own takes, by a finding's `detail`.
"""
REASONS: dict[ReadingLanguage, dict[Reason, str]] = {
    "en": {
        Reason.NO_AUDIO: "There is no sound.",
        Reason.NO_VIDEO: "There is no picture.",
        Reason.NO_SPEECH: "No speech was heard.",
        Reason.TOO_SHORT: "There was not enough to go by.",
        Reason.LOW_COVERAGE: "Only a small part could be used.",
        Reason.POOR_SIGNAL: "The sound or the picture was not clear enough.",
        Reason.AUTOMATIC_GAIN: "The recording level was adjusted automatically.",
        Reason.NO_FACE: "No face was seen.",
        Reason.FACE_TOO_SMALL: "The face was small in the picture.",
        Reason.SEVERAL_FACES: "Several faces were seen.",
        Reason.SEVERAL_SPEAKERS: "Several voices were heard.",
        Reason.FRAMING: "What is needed was outside the picture.",
        Reason.LANGUAGE_UNSUPPORTED: "This language is not supported.",
        Reason.LANGUAGE_MISMATCH: "Another language was heard than the one chosen.",
        Reason.OUTSIDE_TESTED_SPEECH: "The measure was not tested on speech like this.",
        Reason.DISABLED_BY_PROFILE: "It was switched off.",
        Reason.MISSING_CONTEXT: "Information about the talk was missing.",
        Reason.MODEL_MISSING: "A model was not installed.",
        Reason.STAGE_FAILED: "A step of the analysis failed.",
        Reason.NOT_MEASURED_BY_THIS_VERSION: "The analysis that ran did not know this measure.",
    },
    "fr": {
        Reason.NO_AUDIO: "Il n’y a pas de son.",
        Reason.NO_VIDEO: "Il n’y a pas d’image.",
        Reason.NO_SPEECH: "Aucune parole n’a été entendue.",
        Reason.TOO_SHORT: "Il n’y avait pas assez de matière.",
        Reason.LOW_COVERAGE: "Une petite part seulement était utilisable.",
        Reason.POOR_SIGNAL: "Le son ou l’image n’était pas assez net.",
        Reason.AUTOMATIC_GAIN: "Le niveau d’enregistrement était réglé automatiquement.",
        Reason.NO_FACE: "Aucun visage n’a été vu.",
        Reason.FACE_TOO_SMALL: "Le visage était petit dans l’image.",
        Reason.SEVERAL_FACES: "Plusieurs visages ont été vus.",
        Reason.SEVERAL_SPEAKERS: "Plusieurs voix ont été entendues.",
        Reason.FRAMING: "Ce qui est nécessaire était hors de l’image.",
        Reason.LANGUAGE_UNSUPPORTED: "Cette langue n’est pas prise en charge.",
        Reason.LANGUAGE_MISMATCH: "Une autre langue que celle choisie a été entendue.",
        Reason.OUTSIDE_TESTED_SPEECH: "La mesure n’a pas été testée sur une telle parole.",
        Reason.DISABLED_BY_PROFILE: "La mesure était désactivée.",
        Reason.MISSING_CONTEXT: "Une information sur l’intervention manquait.",
        Reason.MODEL_MISSING: "Un modèle n’était pas installé.",
        Reason.STAGE_FAILED: "Une étape de l’analyse a échoué.",
        Reason.NOT_MEASURED_BY_THIS_VERSION: "L’analyse d’alors ne connaissait pas cette mesure.",
    },
}
