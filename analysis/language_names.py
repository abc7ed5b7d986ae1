"""Names of languages, including those that can be detected but not analysed."""

from __future__ import annotations

from typing import Final

from analysis.marks import gettext_noop as _

NAMES: Final[dict[str, str]] = {
    "ar": _("Arabic"), "bn": _("Bengali"), "cs": _("Czech"), "da": _("Danish"), "de": _("German"),
    "el": _("Greek"), "en": _("English"), "es": _("Spanish"), "fa": _("Persian"),
    "fi": _("Finnish"), "fr": _("French"), "he": _("Hebrew"), "hi": _("Hindi"),
    "hu": _("Hungarian"), "id": _("Indonesian"), "it": _("Italian"), "ja": _("Japanese"),
    "ko": _("Korean"), "nl": _("Dutch"), "no": _("Norwegian"), "pl": _("Polish"),
    "pt": _("Portuguese"), "ro": _("Romanian"), "ru": _("Russian"), "sv": _("Swedish"),
    "th": _("Thai"), "tr": _("Turkish"), "uk": _("Ukrainian"), "ur": _("Urdu"),
    "vi": _("Vietnamese"), "zh": _("Chinese"),
}  # fmt: skip
OTHER: Final = _("another language ({code})")
