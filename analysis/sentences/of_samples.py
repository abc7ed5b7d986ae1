"""Sentences on the check of a short sample before recording: level, noise, light and face."""

from __future__ import annotations

from typing import Final

from analysis.marks import gettext_noop as _
from analysis.sentences.form import Sentence

SENTENCES: Final[dict[str, Sentence]] = {
    "sample_silent": Sentence(_("There is no sound. Allow the microphone and try again.")),
    "sample_short": Sentence(
        _("The sample is short. Let it run for about five seconds, and speak all the while.")
    ),
    "sample_without_voice": Sentence(
        _(
            "No voice was heard. Say a few sentences as you would in your talk, and look whether "
            "the right microphone is chosen."
        )
    ),
    "sample_quiet": Sentence(
        _("Your voice is quiet here. Come nearer to the microphone or turn its level up.")
    ),
    "sample_loud": Sentence(
        _("Your voice is near the top of the scale. Turn the microphone’s level down a bit.")
    ),
    "sample_level_fine": Sentence(_("Your voice comes through at a good level.")),
    "sample_clipped": Sentence(
        _(
            "The sound is cut off at its loudest. Turn the microphone’s level down, or move it a "
            "hand’s width away."
        )
    ),
    "sample_clipping_fine": Sentence(_("Nothing is cut off.")),
    "sample_without_gap": Sentence(
        _("Leave a second of silence at the start, and we can hear how quiet your room is.")
    ),
    "sample_noisy": Sentence(
        _(
            "There is a lot of sound besides your voice. Close the window, switch off a fan, or "
            "bring the microphone nearer."
        )
    ),
    "sample_noise_fine": Sentence(_("Your voice stands out clearly.")),
    "sample_without_picture": Sentence(
        _("There is no picture, so face and hands stay out of your feedback.")
    ),
    "sample_black": Sentence(
        _("The picture is dark. Open the camera’s cover and put a lamp in front of you.")
    ),
    "sample_without_face": Sentence(
        _(
            "Your face was not found. Sit or stand so that the camera sees all of it from the "
            "front, no further away than about two metres."
        )
    ),
    "sample_dark": Sentence(
        _("Your face is in the dark. Turn to a window or put a lamp in front of you.")
    ),
    "sample_bright": Sentence(
        _("Your face is very bright. Turn a little away from the lamp or the sun.")
    ),
    "sample_light_fine": Sentence(_("The light on your face is fine.")),
    "sample_face_tiny": Sentence(
        _("Your face is so small in the picture that we cannot say whether it is sharp.")
    ),
    "sample_blurred": Sentence(
        _("Your face is blurred. Wipe the lens, let the camera focus, and add light.")
    ),
    "sample_sharpness_fine": Sentence(_("The picture is sharp.")),
    "sample_sideways": Sentence(
        _("The picture is sideways. Turn the phone, or turn off its rotation lock.")
    ),
    "sample_of_several": Sentence(
        _("Somebody else is in the picture. Make sure that only you are in it.")
    ),
    "sample_at_edge": Sentence(_("You are near the edge of the picture. Move to its middle.")),
    "sample_head_cut": Sentence(
        _("Your head touches the upper edge. Tilt the camera up a little.")
    ),
    "sample_chin_cut": Sentence(
        _("Your chin touches the lower edge. Tilt the camera down a little.")
    ),
    "sample_framing_fine": Sentence(_("You are well in the picture.")),
    "sample_face_small": Sentence(
        _(
            "Your face is about {height:.0f} pixels high; from {needed:.0f} on we can say where it "
            "is turned. Come closer or choose a higher resolution."
        )
    ),
    "sample_eyes_small": Sentence(
        _("We can see where your head is turned; a little closer and we see your eyes too.")
    ),
    "sample_face_fine": Sentence(_("Your face is large enough.")),
    "sample_near": Sentence(
        _("You are very near. Lean back until your shoulders are in the picture.")
    ),
    "sample_far": Sentence(_("You are far from the camera. Come closer, or zoom in.")),
    "sample_distance_fine": Sentence(_("The distance is fine.")),
    "sample_hands_fine": Sentence(_("There is room for your hands in the picture.")),
    "sample_without_hands": Sentence(
        _("Only head and shoulders are in the picture. Move back if you want feedback on hands.")
    ),
}
