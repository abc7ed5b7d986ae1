"""View of the days on which a coach is away."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from coach.accounts.access import coaches_only
from coach.accounts.away import end_away, set_away
from coach.lib.web.http import SignedInRequest
from coach.review.away.words import away_words


def _day_input() -> forms.DateInput:
    return forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})


class AwayForm(forms.Form):
    """The first and the last day away."""

    first = forms.DateField(label=gettext_lazy("First day away"), widget=_day_input())
    last = forms.DateField(label=gettext_lazy("Last day away"), widget=_day_input())


@require_http_methods(["GET", "POST"])
@coaches_only
def away(request: SignedInRequest) -> HttpResponse:
    """Show, save or remove the days on which this coach is away."""
    coach = request.user
    if request.method == "POST" and "back" in request.POST:
        end_away(coach=coach)
        messages.success(request, _("Removed. Takes can be assigned to you again."))
        return redirect("review:away")
    words = away_words(coach)
    initial = {
        "first": coach.away_from if words else timezone.localdate(),
        "last": coach.away_until if words else None,
    }
    form = AwayForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            set_away(coach=coach, **form.cleaned_data)
        except ValidationError as error:
            form.add_error("last", error)
        else:
            messages.success(request, _("Saved. No take is assigned to you on these days."))
            return redirect("review:away")
    status = 422 if form.errors else 200
    return render(request, "review/away.html", {"form": form, "away": words}, status=status)
