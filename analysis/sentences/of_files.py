"""Sentences on errors in files and on findings while opening them."""

from __future__ import annotations

from typing import Final

from analysis.marks import gettext_noop as _
from analysis.sentences.form import Sentence

_CHECK_NAME = _("Check the name of the file.")
_SEND_A_RECORDING = _("Send a video or a sound recording, for example mp4, mov, webm, m4a or mp3.")
_FORMATS = _("Use mp4, mov, webm, mkv, avi, m4a, wav or mp3.")
_CUT = _("Cut it into shorter parts.")
_SMALLER = _("Export it at 1080p or less.")
_EXPORT = _("Export it as mp4 (H.264 and AAC) and upload that.")

SENTENCES: Final[dict[str, Sentence]] = {
    "no_such_file": Sentence(_("There is no such file."), hint=_CHECK_NAME),
    "file_unreadable": Sentence(_("The file cannot be read."), hint=_CHECK_NAME),
    "is_a_folder": Sentence(_("This is a folder, not a recording."), hint=_("Name a file in it.")),
    "file_empty": Sentence(_("The file is empty."), hint=_("Record or upload it again.")),
    "is_a_list": Sentence(
        _("This is a list that points at other files, not a recording."),
        hint=_("Upload the recording itself, not a list that points at it."),
    ),
    "format_unknown": Sentence(
        _("This is not a recording in a format that we open."), hint=_SEND_A_RECORDING
    ),
    "is_no_recording": Sentence(
        _("This is {thing:thing}, not a recording."), hint=_SEND_A_RECORDING
    ),
    "only_tags": Sentence(_("There are only tags in this file, no sound."), hint=_FORMATS),
    "file_damaged": Sentence(
        _("The file is damaged or not what its first bytes say."), hint=_EXPORT
    ),
    "index_missing": Sentence(
        _("The end of the file is missing, and with it the index that is needed to play it."),
        hint=_(
            "Copy it again from the device that recorded it. If it is cut off there too, a "
            "program that repairs videos may save it."
        ),
    ),
    "longer_than_allowed": Sentence(
        _("The recording is longer than what is allowed here."), hint=_CUT
    ),
    "longer_than": Sentence(
        _("The recording is longer than the {allowed:clock} allowed here."), hint=_CUT
    ),
    "claims_longer_than": Sentence(
        _("The recording is {claimed:clock} long; at most {allowed:clock} are allowed."), hint=_CUT
    ),
    "picture_takes_memory": Sentence(
        _("Decoding this picture takes more memory than there is for it."), hint=_SMALLER
    ),
    "file_too_large": Sentence(
        _("The file has {size:.1f} GB; {allowed:.1f} GB are allowed at most."), hint=_SMALLER
    ),
    "picture_too_large": Sentence(
        _("The picture has {width:d} x {height:d} pixels: too many."), hint=_SMALLER
    ),
    "no_copy_for_playback": Sentence(
        _("No copy for playback could be made of this recording."), hint=_EXPORT
    ),
    "recording_encrypted": Sentence(
        _("The recording is protected by encryption."), hint=_("Export an unprotected copy.")
    ),
    "nothing_decodable": Sentence(_("Neither sound nor picture could be decoded."), hint=_EXPORT),
    "sound_encrypted": Sentence(_("The sound is protected by encryption and was left out.")),
    "picture_encrypted": Sentence(_("The picture is protected by encryption and was left out.")),
    "sound_track_chosen": Sentence(
        _(
            "This recording has {tracks:d} sound tracks. We listened to track {track:d} alone, "
            "where we heard the most speech."
        ),
        hint=_("If you speak in another one, export the recording with that track only."),
    ),
    "sound_channel_chosen": Sentence(
        _(
            "This recording has {channels:d} sound channels. We listened to channel {channel:d} "
            "alone, where the voice is clearest."
        ),
        hint=_("If you speak in another one, export the recording with that channel only."),
    ),
    "sound_very_quiet": Sentence(
        _(
            "Your voice was recorded very quietly. We raised it by {raised:d} dB to hear it, but "
            "soft sounds may be lost."
        ),
        hint=_("Move closer to the microphone, or turn it up, before the next take."),
    ),
    "sound_undecodable": Sentence(
        _("There is sound in this file, but not in a form that we can decode.")
    ),
    "picture_undecodable": Sentence(
        _("There is picture in this file, but not in a form that we can decode.")
    ),
    "file_cut_off": Sentence(
        _(
            "The file ends in the middle: it claims {claimed:clock}, we could read "
            "{read:clock}. We analysed the part that we could read."
        )
    ),
    "pieces_damaged": Sentence(_("Damaged parts that were skipped: {pieces:d}.")),
    "sound_missing": Sentence(
        _("Record with the microphone switched on, or upload the recording with its sound.")
    ),
    "picture_missing": Sentence(
        _("Record with a camera, or upload the recording with its picture.")
    ),
}
