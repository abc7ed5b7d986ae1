"""Sentences on skipped metrics of face, body and hands: reason and remedy."""

from __future__ import annotations

from typing import Final

from analysis.marks import gettext_noop as _
from analysis.sentences.form import Sentence

SENTENCES: Final[dict[str, Sentence]] = {
    "no_picture": Sentence(
        _("There is no picture in this recording. Switch the camera on next time.")
    ),
    "hardly_any_picture": Sentence(
        _("There is hardly any picture in this recording. Let the camera run while you speak.")
    ),
    "no_speech_to_watch": Sentence(
        _(
            "No speech was heard, and these measures are about the time you speak. Check that the "
            "right microphone is on."
        )
    ),
    "picture_short": Sentence(
        _(
            "{seconds:.0f} s {base:of} have a picture; {needed:.0f} s are needed. Record a longer "
            "take."
        )
    ),
    "picture_black": Sentence(
        _("The picture is almost black. Open the camera’s cover or turn on a light.")
    ),
    "picture_dark": Sentence(
        _(
            "The picture is too dark to see you well enough. Face a window or a lamp, and record "
            "again."
        )
    ),
    "face_seldom": Sentence(
        _(
            "Your face was found for {seen:.0%} {base:of}; {needed:.0%} are needed. Place the "
            "camera so that it sees you wherever you stand."
        )
    ),
    "picture_frozen": Sentence(
        _(
            "The picture stood still for {share:.0%} {base:of}. Check that the camera runs to the "
            "end, and record again."
        )
    ),
    "picture_part": Sentence(
        _(
            "Only {seen:.0%} of what you said has a picture; {needed:.0%} are needed. Check that "
            "the camera runs as long as the sound, and record again."
        )
    ),
    "picture_in_pieces": Sentence(
        _(
            "Only {seen:.0%} of what you said has a picture, which stops in between; {needed:.0%} "
            "are needed. Close what else uses the camera or keeps the machine busy, and record "
            "again."
        )
    ),
    "face_nowhere": Sentence(
        _(
            "No face was found {base:in}. Face the camera with your whole face in the picture, "
            "from no further than about two metres."
        )
    ),
    "face_small": Sentence(
        _(
            "Your face is about {height:.0f} pixels high; {needed:.0f} are needed. Come closer, "
            "zoom in, or record at a higher resolution."
        )
    ),
    "picture_on_its_side": Sentence(
        _("The picture is sideways. Hold the phone upright, or switch off its rotation lock.")
    ),
    "two_faces": Sentence(
        _(
            "There are two faces of about the same size in the picture, so we cannot tell which"
            " one speaks. Make sure that only you are in the picture."
        )
    ),
    "face_dark": Sentence(_("Your face is in the dark. A lamp or a window in front of you helps.")),
    "face_blurred": Sentence(
        _("Your face is blurred. Wipe the lens, or let the camera focus on you.")
    ),
    "eyes_hidden": Sentence(
        _(
            "Your eyes could not be seen for {share:.0%} {base:of}: glasses that reflect, or dark "
            "ones. Move the lamp or screen that shines into them, or record without dark ones."
        )
    ),
    "gaze_not_calibrated": Sentence(
        _(
            "Degrees need a gaze calibration with the camera of this take. You can make one in "
            "about 20 seconds before you record."
        )
    ),
    "gaze_eyes_seldom": Sentence(
        _(
            "Your eyes could be read for {seen:.0%} {base:of}; {needed:.0%} are needed. Come "
            "closer to the camera, with light from the front."
        )
    ),
    "calibration_eyes_seldom": Sentence(
        _(
            "We could read your eyes at {found:.0f} of {shown:.0f} points; {needed:.0f} are "
            "needed. Turn on a light in front of you, move closer, and try again."
        )
    ),
    "calibration_inexact": Sentence(
        _(
            "In a test with points left out, your gaze was off by {error:.0f} degrees; up to "
            "{most:.0f} would do. Keep your head still, look at each point until the next one "
            "appears, and use the camera at the top of this screen."
        )
    ),
    "calibration_far": Sentence(
        _(
            "You seem to be {distance:.0f} cm from the camera. Sit or hold the phone at 20 to "
            "120 cm, and try again."
        )
    ),
    "person_small": Sentence(
        _(
            "You are small in the picture: your face is about {height:.0f} pixels high and "
            "{needed:.0f} are needed. Come closer or zoom in."
        )
    ),
    "shoulders_seldom": Sentence(
        _(
            "Both shoulders were in the picture for {seen:.0%} {base:of}; {needed:.0%} are needed. "
            "Move the camera back until both are in it."
        )
    ),
    "hips_seldom": Sentence(
        _(
            "Shoulders and hips were in the picture for {seen:.0%} {base:of}; {needed:.0%} are "
            "needed. Move the camera back until your hips are in it."
        )
    ),
    "elbows_seldom": Sentence(
        _(
            "Both elbows were in the picture for {seen:.0%} {base:of}; {needed:.0%} are needed to "
            "tell whether arms are crossed. Move the camera back until both are in it."
        )
    ),
    "elbows_and_hips_seldom": Sentence(
        _(
            "Elbows and hips were in the picture for {seen:.0%} {base:of}; {needed:.0%} are needed "
            "to tell hidden hands from hands below the picture. Move the camera back until your "
            "hips are in it."
        )
    ),
    "head_and_shoulders_only": Sentence(
        _(
            "The picture shows head and shoulders only. Move the camera back until your hands are "
            "in it."
        )
    ),
    "trunk_hidden": Sentence(
        _(
            "A lean is not measured of people who sit: a chair or a table hides where the trunk "
            "begins."
        )
    ),
    "sway_short": Sentence(
        _(
            "Sway needs {needed:.0f} s in one piece with both shoulders in view. Give yourself "
            "more room in the picture, or speak for longer."
        )
    ),
    "background_plain": Sentence(
        _(
            "The background has nothing to hold on to, so movement of the camera cannot be told "
            "from yours. Put the camera on something firm, before a wall with a picture."
        )
    ),
    "hands_seldom": Sentence(
        _(
            "Your hands were in the picture for {seen:.0%} {base:of}; {needed:.0%} are needed to "
            "say how they move. Move the camera back, or hold your hands where it sees them."
        )
    ),
    "hands_short": Sentence(
        _(
            "Your hands were seen for {seconds:.0f} s; a rate needs {needed:.0f} s. A longer take "
            "with your hands in the picture allows it."
        )
    ),
    "touch_short": Sentence(
        _(
            "Face and shoulders were seen for {seconds:.0f} s; a rate needs {needed:.0f} s. A "
            "longer take with both in the picture allows it."
        )
    ),
    "talk_short_for_edges": Sentence(
        _(
            "The talk is {seconds:.0f} s long; a separate opening and closing need {needed:.0f}"
            " s. Record a longer take."
        )
    ),
    "edge_seldom": Sentence(
        _(
            "Your face was found for {seen:.0%} {edge:edge}; {needed:.0%} are needed. Stay before "
            "the camera for them."
        )
    ),
    "watched_short": Sentence(
        _(
            "You were watched for {seconds:.0f} s; a rate needs {needed:.0f} s. A longer take "
            "allows it."
        )
    ),
    "lens_without_face": Sentence(
        _("Your face was not found in the seconds in which you look into the lens.")
    ),
    "camera_elsewhere": Sentence(
        _(
            "The camera stood elsewhere, and you looked in no one direction for long enough to "
            "take it for your audience. Look into the lens for the first three seconds of the next "
            "take."
        )
    ),
    "lens_looked_elsewhere": Sentence(
        _("In the seconds for looking into the lens you looked somewhere else.")
    ),
}
