"""Password forms, with the password rules in one sentence."""

from __future__ import annotations

from typing import Any, Final

from allauth.account.forms import (
    ChangePasswordForm,
    LoginForm,
    ResetPasswordKeyForm,
    UserTokenForm,
)
from django import forms
from django.contrib.auth.password_validation import (
    MinimumLengthValidator,
    get_default_password_validators,
)
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from coach.accounts.invitations import LinkTokens

_LABELS: Final = {
    "oldpassword": _("Current password"),
    "password1": _("New password"),
    "password2": _("Confirm password"),
}


def password_requirements() -> str:
    """Return the password rules of this site, to show before the password is typed."""
    rules = get_default_password_validators()
    lengths = [each.min_length for each in rules if isinstance(each, MinimumLengthValidator)]
    least = max(lengths, default=1)
    said = ngettext("At least %(n)s character.", "At least %(n)s characters.", least)
    rest = gettext("Do not use only digits, your name, your email address or a common password.")
    return f"{said % {'n': least}} {rest}"


def _use_own_labels(form: forms.Form) -> None:
    """Use our labels instead of placeholders, and attach the rules to the first field."""
    for name, label in _LABELS.items():
        if name in form.fields:
            form.fields[name].label = label
            form.fields[name].widget.attrs.pop("placeholder", None)
    form.fields["password1"].help_text = password_requirements()


class SignInForm(LoginForm):  # type: ignore[misc]  # allauth has no stubs
    """Email address, password, and whether to stay signed in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Missing if the site ends idle sessions.
        if remember := self.fields.get("remember"):
            remember.label = _("Keep me signed in for two weeks")
            remember.help_text = _(
                "On a shared computer, leave this unticked and close the browser when you finish."
            )


class PasswordLinkForm(UserTokenForm):  # type: ignore[misc]  # allauth has no stubs
    """The two keys in a link to choose a password."""

    token_generator = LinkTokens()


class ChosenPasswordForm(ResetPasswordKeyForm):  # type: ignore[misc]  # allauth has no stubs
    """A new password, chosen through an invitation or a reset link."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _use_own_labels(self)


class ChangedPasswordForm(ChangePasswordForm):  # type: ignore[misc]  # allauth has no stubs
    """A new password, chosen by a signed-in person."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _use_own_labels(self)
