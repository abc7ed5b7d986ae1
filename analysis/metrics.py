"""Metric catalogue: id, unit, label, definition, reference and limitations of every metric.

It is the contract between the analysers, which declare what they provide, and the rules, which
name what they need; a test makes the two agree. A metric's family is its id up to the dot.
"""

from __future__ import annotations

from analysis.metric import OURS, Metric
from analysis.metrics_of_structure import STRUCTURE
from analysis.results import Reason, Report, Skipped

# Formatter off: it would put each argument of an entry on its own line.
# fmt: off
METRICS: tuple[Metric, ...] = (
    # --- pace
    Metric(
        "pace.words_per_minute", "words per minute", "Speaking pace",
        "How many words you said in a minute, pauses included.",
        "Spoken words, fillers and restarts left out, over the time from the first to the last "
        "word, pauses included.",
        "Speech rate as in Carroll (1966) and Tauroza & Allison (1990).",
        "A poor unit across languages: word length varies. Words the recogniser drops lower it; "
        "three seconds and more of speech without any word are left out of every pace.",
    ),
    Metric(
        "pace.articulation_rate_syllables_per_second", "syllables per second", "Articulation rate",
        "How fast you spoke while you were speaking, without the pauses.",
        "Syllables over phonation time, pauses of 250 ms and more and fillers left out.",
        "Goldman-Eisler (1968); de Jong & Wempe (2009).",
        "Syllables are counted from text, so a recogniser error shows here.",
    ),
    Metric(
        "pace.speech_rate_syllables_per_second", "syllables per second", "Speech rate",
        "How fast you spoke, pauses included.",
        "Syllables over the time from the first to the last word, pauses included.",
        "Goldman-Eisler (1968).",
    ),
    Metric(
        "pace.end_rush_ratio", "ratio", "Pace of the ending",
        "Whether the ending was faster than the rest: 1 is the same, 1.2 a fifth faster.",
        "Syllables per second in the last 20% of the talk over the rest.",
        OURS,
    ),
    Metric(
        "pace.end_pause_ratio", "ratio", "Pauses of the ending",
        "Whether the pauses after sentences grew shorter towards the end: below 1 they did.",
        "Median silence after a sentence in the last 20% of the talk over those before.",
        OURS,
    ),
    Metric(
        "pace.opening_ratio", "ratio", "Pace of the opening",
        "Whether the opening was faster than the rest: 1 is the same.",
        "Syllables per second in the first 30 s of the talk over the rest.",
        OURS,
    ),
    Metric(
        "pace.fast_passage_share", "share", "Fast passages",
        "How much of the talk was clearly faster than your usual pace, with few pauses.",
        "Share of the talk in windows of 30 seconds in which syllables per second exceed "
        "the talk’s own median by 15% or more while pauses take less than half their usual share.",
        OURS,
    ),
    # --- pauses
    Metric(
        "pauses.silent_per_minute", "per minute", "Silent pauses",
        "How often you paused, even for a quarter of a second.",
        "Silences from 250 ms to 30 s between words, per minute of talk without longer breaks.",
        "Threshold: Goldman-Eisler (1968), de Jong & Bosker (2013).",
        "Room noise, gain control and noise gates hide pauses.",
        counts=("silent_pause",),
    ),
    Metric(
        "pauses.long_mid_clause_per_minute", "per minute", "Long pauses inside a clause",
        "How often you stopped for two seconds or more in the middle of a thought.",
        "Silences of 2 s and more with no sentence or clause end before them, per minute of talk.",
        "Place matters: de Jong (2016), Kahng (2014); the 2 s is a rule of thumb.",
        "Clause ends come from the transcript’s punctuation.",
    ),
    Metric(
        "pauses.boundary_pause_share", "share", "Pauses after sentences",
        "After how many of your sentences there was a short silence.",
        "Share of sentence ends followed by a silence of 0.5 to 2.0 s.",
        "Length classes after Campione & Veronis (2002); the band is a rule of thumb.",
        "Sentence ends come from the transcript’s punctuation.",
    ),
    Metric(
        "pauses.mean_length_of_run_syllables", "syllables", "Mean length of run",
        "How much you say, on average, from one pause to the next.",
        "Mean number of syllables between silences of 250 ms and more.",
        "Hincks (2005); Kormos & Denes (2004).",
    ),
    Metric(
        "pauses.silence_share", "share", "Silence",
        "How much of the talk is silence.",
        "Share of the time from first to last word, breaks of 30 s and more left out, in silences "
        "of 250 ms and more.",
        "Goldman-Eisler (1968).",
    ),
    Metric(
        "pauses.longest_run_seconds", "s", "Longest stretch without a rest",
        "The longest time that you spoke without half a second of silence.",
        "Longest time with no silence of 0.5 s or more.",
        "Rule of thumb; 0.6 s after a sentence was rated most natural (Liu, 2022).",
        "Room noise, gain control and noise gates hide silences, so a stretch seems longer.",
    ),
    Metric(
        "pauses.longest_at_boundary_seconds", "s", "Longest silence between sentences",
        "The longest silence that followed a sentence.",
        "Longest silence from 250 ms to 30 s after a sentence end, the end of the talk left out.",
        "Rule of thumb; up to 1.2 s was rated natural between sentences (Liu, 2022).",
        "Sentence ends come from the transcript’s punctuation.",
    ),
    Metric(
        "pauses.phrase_length_variation", "ratio", "Variation of phrase length (on trial)",
        "How much the length of your phrases varies from one pause to the next.",
        "Standard deviation of the seconds between silences of 250 ms and more, divided by their "
        "mean.",
        "After Niebuhr (2024), 8 speakers and 21 listeners; the definition is ours.",
        "On trial: no card uses it, and no range is known.",
    ),
    # --- fillers
    Metric(
        "fillers.filled_pauses_per_minute", "per minute", "Um and uh",
        "How often “um” or “uh” was heard.",
        "Sum of the probabilities of filled pauses (um, uh, er, euh), per minute of talk; the "
        "interval carries Poisson error and the detector’s own.",
        "Rates and listeners: Laske & DiGennaro Reed (2024); acoustics: Goto et al. (1999).",
        "Some are missed, some lengthened words are taken for one; docs/accuracy.md says how many.",
        counts=("filled_pause",),
    ),
    Metric(
        "fillers.filler_words_per_minute", "per minute", "Filler words",
        "How often you said words such as “like” or “you know” without their meaning.",
        "Words and phrases such as “like” and “you know” where they carry no meaning, per minute.",
        OURS,
        "Judged from context by rules; where in doubt, not counted.",
        counts=("filler_word",),
    ),
    Metric(
        "fillers.bursts_per_minute", "per minute", "Bursts of fillers",
        "How often three or more of them came close together.",
        "Stretches with three or more filled pauses or filler words within 10 s, per minute.",
        OURS,
        counts=("filled_pause", "filler_word"),
    ),
    # --- pitch
    Metric(
        "pitch.variation_quotient", "ratio", "Pitch variation quotient",
        "How much your pitch moves within ten seconds, in proportion to its height.",
        "Standard deviation of F0 over its mean (Hz) in 10-s windows, averaged.",
        "Hincks (2005).",
        "Bounds come from 18 speakers of English as a second language.",
    ),
    Metric(
        "pitch.sd_semitones", "semitones", "Pitch movement",
        "How far your pitch usually moves up and down around its middle.",
        "Standard deviation of F0 in semitones about the speaker’s own median, voiced frames.",
        "Nolan (2003) for the unit.",
    ),
    Metric(
        "pitch.range_semitones", "semitones", "Pitch range",
        "From your low notes to your high ones, the rarest left out.",
        "95th less 5th percentile of F0 in semitones, voiced frames.",
        "Nolan (2003) for the unit.",
    ),
    Metric(
        "pitch.monotone_share", "share", "Level stretches",
        "How much of the talk stayed almost on one note.",
        "Share of 10-s windows with a variation quotient under 0.10.",
        "Rule of thumb after Hincks (2004).",
    ),
    Metric(
        "pitch.trend_semitones", "semitones", "Pitch variation over the talk",
        "Whether your pitch varied more towards the end (above 0) or less.",
        "Mean standard deviation of F0 in semitones in the 5-s blocks of the last third, less that "
        "of the first third.",
        OURS,
    ),
    # --- loudness
    Metric(
        "loudness.range_db", "dB", "Loudness range",
        "The difference between your quiet and your loud moments.",
        "90th less 10th percentile of the 50-ms level in voiced frames. Never an absolute level.",
        OURS,
    ),
    Metric(
        "loudness.sentence_end_drop_share", "share", "Quiet sentence ends",
        "How many sentences became much quieter at the end.",
        "Share of sentences whose last half second is 8 dB or more under the whole of them by "
        "mean square.",
        OURS,
        counts=("quiet_sentence_end",),
    ),
    Metric(
        "loudness.trend_db", "dB", "Loudness over the talk",
        "Whether you grew quieter towards the end: below 0 you did.",
        "Median voiced level of the last third less that of the first third.",
        OURS,
    ),
    # --- wording
    Metric(
        "wording.hedges_per_100_words", "per 100 words", "Hedges",
        "How often words softened what you said, such as “maybe” or “kind of”.",
        "Words that soften a claim (“maybe”, “kind of”), per 100 words.",
        "Direction: Hosman (1989); there is no published rate.",
        counts=("hedge",),
    ),
    Metric(
        "wording.restarts_per_100_words", "per 100 words", "Restarts",
        "How often you began a word or a phrase again.",
        "Immediate repetitions of the same words within 1 s and cut-off words, per 100 words.",
        "Category as in Bortfeld et al. (2001).",
        "The recogniser deletes many.",
        counts=("restart",),
    ),
    Metric(
        "wording.verbal_habits_per_minute", "per minute", "Often-used phrases",
        "How often you repeated phrases that you use more than others.",
        "Uses of phrases that recur far above this talk’s usual, at other places than sentence "
        "starts, per minute.",
        OURS,
        counts=("verbal_habit",),
    ),
    Metric(
        "wording.anaphora_count", "count", "Repeated sentence openings",
        "How many times sentences in a row began with the same words.",
        "Runs of two or more sentences in a row that open with the same two or more words.",
        OURS,
    ),
    Metric(
        "wording.sentence_length_words", "words", "Sentence length",
        "How long your sentences are, on average.",
        "Mean words per sentence where punctuation and pauses agree on the sentence end.",
        OURS,
    ),
    Metric(
        "wording.long_sentence_share", "share", "Long sentences",
        "How many sentences are longer than 35 words.",
        "Share of sentences with more than 35 words.",
        OURS,
    ),
    *STRUCTURE,
    # --- gaze and head
    Metric(
        "gaze.camera_facing_share", "share", "Time facing the camera",
        "How much of the time head and eyes were turned to the camera.",
        "Share of speech time in which head and eyes are turned to the camera (stage: the head to "
        "the audience), within the limits for the setting and about the speaker’s own zero.",
        "Camera: 8 degrees to a side with the eyes, 15 with the head alone, 12 up or down; stage: "
        "35, and 15 down. After Chen (2002), Horstmann & Linke (2022); see "
        "docs/reference/measures-picture.md.",
        "Estimators err by 4 to 10 degrees, listeners tolerate 1 to 4: this is not eye contact.",
    ),
    Metric(
        "gaze.opening_facing_share", "share", "Facing the camera at the start",
        "The same, in the first ten seconds of speech.",
        "The time facing the camera, over the first 10 s of speech.",
        OURS,
    ),
    Metric(
        "gaze.closing_facing_share", "share", "Facing the camera at the end",
        "The same, in the last ten seconds of speech.",
        "The time facing the camera, over the last 10 s of speech.",
        OURS,
    ),
    Metric(
        "gaze.look_aways_per_minute", "per minute", "Looks away",
        "How often you were turned away for a second or more.",
        "Episodes of 1 s and more turned away from the camera, per minute of watched time.",
        OURS,
        counts=("look_away",),
    ),
    Metric(
        "gaze.look_downs_per_minute", "per minute", "Looks down",
        "How often you looked down for a second or more, as to notes.",
        "Episodes of 1 s and more turned down, as to notes, per minute of watched time.",
        OURS,
    ),
    Metric(
        "gaze.off_lens_degrees", "degrees", "Gaze from the lens",
        "How far from the lens you usually looked, if you calibrated your gaze.",
        "Median angle between gaze and lens over speech, from head and eyes with the speaker’s own "
        "calibration: ten points at known places, the distance estimated from the eyes.",
        "Regression from landmarks to known points, error on points left out; as in webcam eye "
        "tracking (Papoutsaki et al., 2016). The weights are ours.",
        "Valid while camera, screen and place are those of the calibration. Also somebody who "
        "always looks into the lens gets a few degrees: the error of the estimate.",
    ),
    Metric(
        "head.yaw_degrees", "degrees", "Head turn",
        "How far your head was usually turned to one side.",
        "Median head yaw over speech, relative to the line from the face to the camera; positive "
        "to the speaker’s own right, the left of a picture that is not mirrored.",
        "Signs as in AFLW2000-3D.",
    ),
    Metric(
        "head.pitch_degrees", "degrees", "Head tilt up or down",
        "How far your head was usually tilted up or down.",
        "Median head pitch over speech, relative to the line from the face to the camera; positive "
        "up.",
        "Signs as in AFLW2000-3D.",
    ),
    # --- posture and gesture
    Metric(
        "posture.shoulder_tilt_degrees", "degrees", "Shoulder line",
        "How far the line of your shoulders was from level.",
        "Median absolute angle of the shoulder line to the horizontal over speech.",
        OURS,
    ),
    Metric(
        "posture.sway_shoulder_widths", "shoulder widths", "Sway",
        "How much you swayed from side to side.",
        "Standard deviation of the shoulders’ midpoint in the 0.2 to 1.5 Hz band.",
        OURS,
    ),
    Metric(
        "posture.arms_crossed_share", "share", "Arms crossed",
        "How much of the time your arms were crossed.",
        "Share of speech time with each wrist near the other elbow.",
        OURS,
        "Nobody in our labelled pictures crosses their arms, so we do not know how often this is "
        "right.",
    ),
    Metric(
        "posture.lean_degrees", "degrees", "Lean to the side",
        "How far you leaned to one side.",
        "Median absolute angle between the line from hips to shoulders and the vertical of the "
        "picture, over speech.",
        OURS,
        "A camera that stands askew leans everything; leaning forward is not seen from the front. "
        "Only two people lean in our labelled pictures: too few to know how often this is right.",
    ),
    Metric(
        "posture.hands_hidden_share", "share", "Hands out of sight",
        "How much of the time your hands could not be seen although there was room for them.",
        "Share of speech time in which neither hand is seen although elbows and hips are in the "
        "picture: behind the back, in pockets, behind a lectern.",
        OURS,
        "Stretches under 2 s are not counted. Hardly any hands are hidden in our labelled "
        "pictures, so we do not know how often this is right.",
    ),
    Metric(
        "posture.self_touch_per_minute", "per minute", "Hand to face or neck",
        "How often a hand went to your face or neck.",
        "Episodes of 0.5 s and more with a wrist at the face or neck, per minute of watched time.",
        OURS,
        "A touch needs the wrist in the picture. In labelled pictures of three people, most of "
        "them without a wrist, none was found.",
    ),
    Metric(
        "gesture.hands_visible_share", "share", "Hands in the picture",
        "How much of the time a hand could be seen.",
        "Share of speech time with at least one wrist inside the picture and visible.",
        OURS,
        "Right in 9 of 10 labelled pictures of real people; a hand without its wrist is missed.",
    ),
    Metric(
        "gesture.movement_share", "share", "Hands moving",
        "How much of the time your hands moved.",
        "Share of speech time in which a wrist moves faster than 0.4 shoulder widths a second.",
        OURS,
        "Hands move in labelled films of four people only: too few to know how often this is "
        "right.",
    ),
    Metric(
        "gesture.strokes_per_minute", "per minute", "Gesture strokes",
        "How often a hand made a quick gesture.",
        "Peaks of wrist speed above 1 shoulder width a second, 0.3 s apart, per minute of watched "
        "time.",
        OURS,
    ),
    Metric(
        "gesture.longest_still_seconds", "s", "Longest stillness of the hands",
        "The longest time in which your hands rested while you spoke.",
        "Longest stretch of speech with hands visible and no wrist movement.",
        OURS,
        "It rests on the movement of the hands, which was compared with too few people to know "
        "how often it is right.",
    ),
    # --- signal
    Metric(
        "signal.snr_db", "dB", "Signal over noise",
        "How clearly your voice stands out from the noise around it.",
        "Level of speech over the level of the gaps between speech.",
        OURS,
    ),
    Metric(
        "signal.clipping_share", "share", "Clipped sound",
        "How much of the sound was so loud that the recording cut it off.",
        "Share of speech samples at the limit of the range in runs of three and more.",
        OURS,
    ),
    Metric(
        "signal.speech_seconds", "s", "Speech",
        "How long speech was heard.",
        "Seconds in which speech was heard.",
        OURS,
    ),
    Metric(
        "signal.talk_seconds", "s", "Length of the talk",
        "From the first word to the last.",
        "Seconds from the first to the last speech heard.",
        OURS,
    ),
    Metric(
        "signal.face_visible_share", "share", "Face in the picture",
        "How much of the time your face was found in the picture.",
        "Share of speech time in which the speaker’s face was found; where the film cuts to slides "
        "or to another scene without anybody is left out.",
        OURS,
    ),
)
# fmt: on

BY_ID: dict[str, Metric] = {metric.id: metric for metric in METRICS}
FAMILIES: tuple[str, ...] = tuple(dict.fromkeys(metric.family for metric in METRICS))

# Profile switches and the metric families that each turns off. A switch stores no reason.
PROFILE_FAMILIES: dict[str, tuple[str, ...]] = {
    **{family: (family,) for family in FAMILIES},
    "wording": ("wording", "structure"),
    "face": ("gaze", "head"),
    "fluency": ("fillers", "pauses"),
    "voice": ("pitch", "loudness"),
    "hands": ("gesture",),
}


_UNKNOWN_THEN = Skipped.because(Reason.NOT_MEASURED_BY_THIS_VERSION, "measure_unknown_then")
_OF_SLIDES = Skipped.because(Reason.MISSING_CONTEXT, "no_slides_timed")
_SLIDE_METRICS = frozenset(metric.id for metric in METRICS if "slide" in metric.id)
"""Measures that a report without slides lacks, from whichever version it is."""


def complete(report: Report) -> Report:
    """Return the report with every metric of the current catalogue measured or skipped.

    Metrics unknown to an earlier version are added to `skipped`.
    """
    missing = {
        metric.id: _OF_SLIDES if metric.id in _SLIDE_METRICS else _UNKNOWN_THEN
        for metric in METRICS
        if metric.id not in report.measurements and metric.id not in report.skipped
    }
    if not missing:
        return report
    return report.model_copy(update={"skipped": {**report.skipped, **missing}})
