"""Sentences on skipped metrics of voice and words: reason and remedy."""

from __future__ import annotations

from typing import Final

from analysis.marks import gettext_noop as _
from analysis.sentences.form import Sentence

SENTENCES: Final[dict[str, Sentence]] = {
    "part_begins_after_end": Sentence(
        _(
            "The part begins {begin:.0f} s into the recording, which is only {length:.0f} s long. "
            "Mark an earlier one."
        )
    ),
    "no_speech_in_part": Sentence(
        _("We heard no speech in this part of the recording. Mark the part in which you speak.")
    ),
    "no_speech_found": Sentence(
        _("We heard no speech in the recording. Check that the microphone was on.")
    ),
    "no_speech_heard": Sentence(
        _("No speech was heard in this recording. Check the microphone and record again.")
    ),
    "no_words_understood": Sentence(
        _(
            "Speech was heard, but no words were understood. A closer microphone, a quieter room "
            "or a longer take helps."
        )
    ),
    "words_unsupported": Sentence(
        _(
            "So far, measures based on words need English or French; pauses, pitch and loudness"
            " are measured in every language."
        )
    ),
    "sounds_like_supported": Sentence(
        _(
            "You chose {chosen:language}, but the recording sounds like {heard:language}. Analyse "
            "it as {heard:language} to have the words measured; no new upload is needed."
        )
    ),
    "sounds_like_unsupported": Sentence(
        _(
            "You chose {chosen:language}, but the recording sounds like {heard:language}. So "
            "far, measures based on words need English or French."
        )
    ),
    "two_voices": Sentence(
        _(
            "It sounds like two voices, or a voice and music; the second about {share:.0%} of the "
            "time. Mark your own part, or switch the music off, and your voice will be measured."
        )
    ),
    "another_speaks_first": Sentence(
        _(
            "Somebody else seems to speak at the beginning, until {until:clock}. Mark your own "
            "part to leave that out, and we measure your opening."
        )
    ),
    "another_speaks_last": Sentence(
        _(
            "Somebody else seems to speak at the end, after {since:clock}. Mark your own part "
            "to leave that out, and we measure your ending."
        )
    ),
    "voice_near_noise": Sentence(
        _(
            "The voice is only {snr:.0f} dB over the noise; {needed:.0f} dB are needed. A quieter "
            "room or a closer microphone helps."
        )
    ),
    "voices_near_voice": Sentence(
        _(
            "It sounds as if others were talking, within {within:.0f} dB of your voice, so your "
            "pauses and your pitch are left out. A closer microphone or a quieter room helps."
        )
    ),
    "room_echoes": Sentence(
        _(
            "The room carries each word on for {seconds:.1f} s, which covers soft words and the "
            "ends of sentences. A closer microphone or a room with curtains and carpets helps."
        )
    ),
    "level_changes": Sentence(
        _(
            "At {at:clock} the voice changes by {by:.0f} dB and the background with it: another "
            "take, or a microphone that was moved or turned. Mark what comes before it or after "
            "it, and your loudness is measured."
        )
    ),
    "voice_steps": Sentence(
        _(
            "At {at:clock} the voice changes by {by:.0f} dB from one sentence to the next and "
            "stays so, as after a step away from the microphone or in another take. Mark what "
            "comes before it or after it, and your loudness is measured."
        )
    ),
    "sound_clipped": Sentence(
        _("{share:.1%} of the sound is cut off at the top. Turn the microphone down a little.")
    ),
    "noise_swells": Sentence(
        _(
            "The background noise swells in the pauses: the recording level was adjusted "
            "automatically. Switch off gain control and noise suppression to have loudness "
            "measured."
        )
    ),
    "pauses_hidden": Sentence(
        _(
            "In the pauses, the noise is almost as loud as your voice, so we cannot measure "
            "silences. Use a closer microphone or a quieter room, and switch off automatic gain"
            " control."
        )
    ),
    "pauses_empty": Sentence(
        _(
            "The pauses hold no sound at all: noise suppression or a noise gate was on, and takes "
            "soft sounds away as well. Switch it off to have them measured."
        )
    ),
    "speech_untested": Sentence(
        _(
            "These measures were not tested on speech like in this recording, so they are left "
            "out. A coach can say more."
        )
    ),
    "speech_short": Sentence(
        _(
            "We heard {heard:.0f} s of speech; {what:measure} needs at least {needed:.0f} s. A "
            "take of 90 s is enough for all measures."
        )
    ),
    "pitch_rare": Sentence(
        _(
            "Only {voiced:.0f} s of {heard:.0f} s of speech have a pitch; {needed:.0f} s are "
            "needed. Whispering and a very creaky voice have none."
        )
    ),
    "pitch_short": Sentence(
        _(
            "We heard {voiced:.0f} s of voiced speech; {needed:.0f} s are needed. A take of 90 "
            "s is usually enough."
        )
    ),
    "no_full_stops": Sentence(
        _(
            "The words came without full stops, so we do not know where sentences begin. A short "
            "pause after each sentence helps."
        )
    ),
    "parts_hide_pace": Sentence(
        _("You marked several parts; mark one without a gap to see how your pace changes.")
    ),
    "talk_short_for_pace": Sentence(
        _(
            "The talk lasts {seconds:.0f} s; a change of pace shows from {needed:.0f} s on. A take "
            "of 90 s allows it."
        )
    ),
    "unwritten_hides_pace": Sentence(
        _(
            "Too much of what was said here was not written down: missing words would look like "
            "slow speech."
        )
    ),
    "words_missing": Sentence(
        _(
            "Only {share:.0%} of your speech was transcribed, too little to say how fast you "
            "speak or how often you say something. A closer microphone or a quieter room helps."
        )
    ),
    "unwritten_repeats": Sentence(
        _("The speech recognition repeated itself here, so its words were left out.")
    ),
    "unwritten_unsure": Sentence(
        _("The speech recognition was too unsure of its words here, so they were left out.")
    ),
    "unwritten_silent": Sentence(_("The speech recognition wrote nothing down here.")),
    "talk_short_for_opening": Sentence(
        _(
            "The talk lasts {seconds:.0f} s; the pace of an opening shows from {needed:.0f} s on. "
            "A take of 90 s allows it."
        )
    ),
    "few_pauses_at_end": Sentence(
        _("Pauses in the last fifth: {count:d}; {needed:d} are needed. A longer take allows it.")
    ),
    "parts_hide_melody": Sentence(
        _("You marked several parts. Mark a single part to see how your pitch variation changes.")
    ),
    "talk_short_for_melody": Sentence(
        _(
            "The talk lasts {seconds:.0f} s; measuring how pitch variation changes needs "
            "{needed:.0f} s. A take of 90 s is enough."
        )
    ),
    "talk_short_for_trend": Sentence(
        _(
            "The talk lasts {seconds:.0f} s; a trend shows from {needed:.0f} s on. A take of 90 s "
            "allows it."
        )
    ),
    "third_without_voice": Sentence(
        _(
            "One third of the talk holds hardly any voice, so thirds cannot be compared. Mark the "
            "part in which you speak, and only that is measured."
        )
    ),
    "few_voiced_sentences": Sentence(
        _(
            "Sentences with enough voice: {count:d}; {needed:d}"
            " are needed. A take of 90 s allows it."
        )
    ),
    "few_phrases": Sentence(
        _("Phrases between pauses: {count:d}; {needed:d} are needed. A take of 90 s allows it.")
    ),
    "few_sentence_ends": Sentence(
        _(
            "Sentence ends found: {count:d}; {needed:d} are needed. A take of 90 s is usually "
            "enough."
        )
    ),
    "few_agreed_ends": Sentence(
        _(
            "Punctuation and pauses agree on {count:d} sentence ends; {needed:d} are needed. A "
            "longer take, with a short pause after each sentence, allows it."
        )
    ),
    "few_words": Sentence(
        _("Words heard: {count:d}; {needed:d} are needed. A take of 90 s is usually enough.")
    ),
    "no_pause_between_sentences": Sentence(
        _("No pause was heard between two sentences, so none can be the longest.")
    ),
    "silence_short_for_noise": Sentence(
        _(
            "There was too little silence between the speech to hear the noise in. A pause of half "
            "a second anywhere in the talk is enough."
        )
    ),
}
