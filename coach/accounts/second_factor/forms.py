"""Forms of the second factor, with our labels."""

from __future__ import annotations

from typing import Any

from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django import forms
from django.utils.translation import gettext_lazy as _

_NAME = 60
"""Longest name of a passkey, in characters (rule of thumb)."""


def _ask_for_digits(field: forms.Field) -> None:
    field.widget.attrs.pop("placeholder", None)
    field.widget.attrs.update({"inputmode": "numeric", "autofocus": True, "spellcheck": "false"})


class SignInCodeForm(AuthenticateForm):  # type: ignore[misc]  # allauth has no stubs
    """A code from the app, or a recovery code."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code from your app, or a recovery code")
        _ask_for_digits(self.fields["code"])


class ActivateAppForm(ActivateTOTPForm):  # type: ignore[misc]  # allauth has no stubs
    """The first code of an authenticator app."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].label = _("Code that the app shows now")
        _ask_for_digits(self.fields["code"])


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]  # allauth has no stubs
    """The name of a new passkey, and whether it also replaces the password."""

    name = forms.CharField(label=_("Name"), required=False, max_length=_NAME)
    passwordless = forms.BooleanField(
        label=_("Sign in with it without a password"),
        required=False,
        initial=True,
        help_text=_("Untick this for a security key without a PIN or a fingerprint."),
    )


class RenamePasskeyForm(EditWebAuthnForm):  # type: ignore[misc]  # allauth has no stubs
    """A new name of a passkey."""

    name = forms.CharField(label=_("Name"), max_length=_NAME)
