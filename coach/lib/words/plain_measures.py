"""Each measure in one plain sentence, for whoever reads a report; its definition stands in
`analysis.metrics`. A test holds that there is one for each."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PLAIN: Mapping[str, str | Promise] = {
    "pace.words_per_minute": _("How many words you said in a minute, pauses included."),
    "pace.articulation_rate_syllables_per_second": _(
        "How fast you spoke while you were speaking, without the pauses."
    ),
    "pace.speech_rate_syllables_per_second": _("How fast you spoke with the pauses counted in."),
    "pace.end_rush_ratio": _(
        "Whether the ending was faster than the rest: 1 is the same, 1.2 a fifth faster."
    ),
    "pace.end_pause_ratio": _(
        "Whether the pauses after sentences grew shorter towards the end: below 1 they did."
    ),
    "pace.opening_ratio": _("Whether the opening was faster than the rest: 1 is the same."),
    "pace.fast_passage_share": _(
        "How much of the talk was clearly faster than your usual pace, with few pauses."
    ),
    "pauses.silent_per_minute": _("How often you paused, even for a quarter of a second."),
    "pauses.long_mid_clause_per_minute": _(
        "How often you stopped for two seconds or more in the middle of a thought."
    ),
    "pauses.boundary_pause_share": _("After how many of your sentences there was a short silence."),
    "pauses.mean_length_of_run_syllables": _(
        "How much you say, on average, from one pause to the next."
    ),
    "pauses.silence_share": _("How much of the talk is silence."),
    "pauses.longest_run_seconds": _(
        "The longest time that you spoke without half a second of silence."
    ),
    "pauses.longest_at_boundary_seconds": _("The longest silence that followed a sentence."),
    "fillers.filled_pauses_per_minute": _("How often “um” or “uh” was heard."),
    "fillers.filler_words_per_minute": _(
        "How often you said words such as “like” or “you know” without their meaning."
    ),
    "fillers.bursts_per_minute": _("How often three or more of them came close together."),
    "pitch.variation_quotient": _(
        "How much your pitch moves within ten seconds, in proportion to its height."
    ),
    "pitch.sd_semitones": _("How far your pitch usually moves up and down around its middle."),
    "pitch.range_semitones": _("From your low notes to your high ones, the rarest left out."),
    "pitch.monotone_share": _("How much of the talk stayed almost on one note."),
    "pitch.trend_semitones": _(
        "Whether your melody grew livelier towards the end, or calmer: above 0, livelier."
    ),
    "loudness.range_db": _("The difference between your quiet and your loud moments."),
    "loudness.sentence_end_drop_share": _("How many sentences ended much quieter than they were."),
    "loudness.trend_db": _("Whether you grew quieter towards the end: below 0 you did."),
    "wording.hedges_per_100_words": _(
        "How often words softened what you said, such as “maybe” or “kind of”."
    ),
    "wording.restarts_per_100_words": _("How often you began a word or a phrase again."),
    "wording.verbal_habits_per_minute": _(
        "How often phrases came back that you use more than others."
    ),
    "wording.anaphora_count": _("How many times sentences in a row began with the same words."),
    "wording.sentence_length_words": _("How long your sentences are, on average."),
    "wording.long_sentence_share": _("How many sentences are longer than 35 words."),
    "structure.signposts_per_minute": _(
        "How often you said where you are: “first”, “for example”, “to sum up”."
    ),
    "structure.longest_unmarked_seconds": _(
        "The longest time without such a sign of where you are."
    ),
    "structure.questions_per_minute": _("How often you asked something."),
    "structure.number_heaps_per_minute": _("How often many numbers came close together."),
    "structure.closing_formulas": _("Words at the very end that say only that it is over."),
    "structure.opening_housekeeping": _("Words at the start about the recording, or excuses."),
    "structure.opening_questions_and_numbers": _(
        "Questions and larger numbers in the first twenty seconds."
    ),
    "structure.echoes_of_the_opening": _("Words of your opening that come back at the end."),
    "gaze.camera_facing_share": _("How much of the time head and eyes were turned to the camera."),
    "gaze.opening_facing_share": _("The same, in the first ten seconds of speech."),
    "gaze.closing_facing_share": _("The same, in the last ten seconds of speech."),
    "gaze.look_aways_per_minute": _("How often you were turned away for a second or more."),
    "gaze.look_downs_per_minute": _("How often you looked down for a second or more, as to notes."),
    "head.yaw_degrees": _("How far your head was usually turned to one side."),
    "head.pitch_degrees": _("How far your head was usually tilted up or down."),
    "posture.shoulder_tilt_degrees": _("How far the line of your shoulders was from level."),
    "posture.sway_shoulder_widths": _("How much you swayed from side to side."),
    "posture.arms_crossed_share": _("How much of the time your arms were crossed."),
    "posture.lean_degrees": _("How far you leaned to one side."),
    "posture.hands_hidden_share": _(
        "How much of the time your hands could not be seen although there was room for them."
    ),
    "posture.self_touch_per_minute": _("How often a hand went to your face or neck."),
    "gesture.hands_visible_share": _("How much of the time a hand could be seen."),
    "gesture.movement_share": _("How much of the time your hands moved."),
    "gesture.strokes_per_minute": _("How often a hand made a quick gesture."),
    "gesture.longest_still_seconds": _(
        "The longest time in which your hands rested while you spoke."
    ),
    "signal.snr_db": _("How clearly your voice stands out from the noise around it."),
    "signal.clipping_share": _("How much of the sound was so loud that the recording cut it off."),
    "signal.speech_seconds": _("How long speech was heard."),
    "signal.talk_seconds": _("From the first word to the last."),
    "signal.face_visible_share": _("How much of the time your face was found in the picture."),
}
