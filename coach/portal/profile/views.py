"""Views of the profile: what to respect, what to leave out, how to read feedback."""

from __future__ import annotations

from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.accounts.profile import EFFECTS, MANNERS, Manner, Profile, Respect
from coach.accounts.selectors import profile_of
from coach.accounts.services import Wishes, set_disabled_families, set_wishes
from coach.lib.web.http import SignedInRequest
from coach.portal.personal.privacy import family_rows


class ProfileForm(forms.Form):
    """All choices in one form, so that one button saves them."""

    respects = forms.MultipleChoiceField(choices=Respect.choices, required=False)
    coach_may_know = forms.BooleanField(required=False)
    one_item = forms.BooleanField(required=False)
    coach_first = forms.BooleanField(required=False)
    gentle = forms.BooleanField(required=False)
    reflects_first = forms.BooleanField(required=False)
    manner = forms.ChoiceField(choices=Manner.choices, required=False)

    def wishes(self) -> Wishes:
        """Return the cleaned answers for the service."""
        data = self.cleaned_data
        manner = data["manner"] or Manner.USUAL
        return Wishes(**{**data, "respects": tuple(data["respects"]), "manner": manner})


@dataclass(frozen=True, slots=True, kw_only=True)
class RespectRow:
    """A circumstance to respect, with its effect."""

    name: str
    label: str
    words: str
    is_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MannerRow:
    """A presentation of feedback, with its effect."""

    name: str
    label: str
    words: str
    is_on: bool


@require_http_methods(["GET", "POST"])
@login_required
def profile(request: SignedInRequest) -> HttpResponse:
    """Show the profile, or save the choices."""
    form = ProfileForm(request.POST)
    if request.method == "POST" and form.is_valid():
        return _keep(request, form)
    if request.method == "POST":
        messages.error(request, _("This choice does not exist. Nothing was changed."))
    wishes = profile_of(request.user)
    context = {
        "profile": wishes,
        "manners": _manners(wishes),
        "respects": _respects(wishes),
        "families": family_rows(request.user),
    }
    return render(request, "portal/profile.html", context)


def _keep(request: SignedInRequest, form: ProfileForm) -> HttpResponse:
    try:
        with transaction.atomic():
            set_wishes(user=request.user, wishes=form.wishes())
            _set_families(request)
        messages.success(request, _("Saved. This applies from your next take."))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("portal:profile")


def _set_families(request: SignedInRequest) -> None:
    chosen = sorted(request.POST.getlist("off"))
    if chosen != request.user.disabled_families:
        set_disabled_families(user=request.user, families=chosen)


def _manners(wishes: Profile) -> list[MannerRow]:
    return [
        MannerRow(
            name=each.value,
            label=str(each.label),
            words=str(MANNERS[each]),
            is_on=each.value == wishes.manner,
        )
        for each in Manner
    ]


def _respects(wishes: Profile) -> list[RespectRow]:
    return [
        RespectRow(
            name=each.value,
            label=str(each.label),
            words=str(EFFECTS[each].words),
            is_on=each.value in wishes.respects,
        )
        for each in Respect
    ]


@require_POST
@login_required
def families(request: SignedInRequest) -> HttpResponse:
    """Update the families to leave out of the analysis; no other setting changes."""
    try:
        set_disabled_families(user=request.user, families=request.POST.getlist("off"))
        messages.success(request, _("Saved. This applies from your next take."))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("portal:profile")
