"""Views for the list of people, and for acts on selected people."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from coach.accounts.access import people_managers_only
from coach.accounts.freshness import password_again
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.portal.people.acts import Outcome, act_on_people
from coach.portal.people.forms import Act, ActForm
from coach.portal.people.people_page import people_page

_CONFIRMED = (Act.WITHDRAW, Act.CLOSE, Act.RESET)
"""Acts that a second page asks about."""
_MOST_TOLD = 5


@require_safe
@people_managers_only
def people(request: SignedInRequest) -> HttpResponse:
    """Show a page of people, filtered and by name."""
    return render(
        request, "portal/people/people.html", {"page": people_page(request, request.user)}
    )


@require_POST
@people_managers_only
@password_again
@do_not_replay
def act(request: SignedInRequest) -> HttpResponse:
    """Act on the selected people; ask once more before an account is closed or deleted."""
    form = ActForm(request.POST, user=request.user)
    back = f"{reverse('portal:people')}?{request.POST.get('query', '')}"
    if not form.is_valid():
        messages.error(request, first_error(form))
        return redirect(back)
    chosen, said = Act(form.cleaned_data["act"]), form.cleaned_data
    if chosen in _CONFIRMED and "confirmed" not in request.POST:
        context = {"act": chosen, "people": said["people"], "query": request.POST.get("query", "")}
        return render(request, "portal/people/confirm.html", context)
    outcome = act_on_people(
        act=chosen, people=list(said["people"]), cohort=said["cohort"], actor=request.user
    )
    _tell(request, outcome)
    return redirect(back)


def _tell(request: SignedInRequest, outcome: Outcome) -> None:
    words = ngettext("Done for %(n)s person.", "Done for %(n)s people.", outcome.done)
    if outcome.done:
        messages.success(request, words % {"n": outcome.done})
    elif not outcome.refused:
        messages.warning(request, _("This was so already. Nothing changed."))
    for name, reason in list(outcome.refused.items())[:_MOST_TOLD]:
        messages.warning(request, f"{name}: {reason}")
    if (more := len(outcome.refused) - _MOST_TOLD) > 0:
        words = ngettext(
            "%(n)s more person was left as is.", "%(n)s more people were left as is.", more
        )
        messages.warning(request, words % {"n": more})
