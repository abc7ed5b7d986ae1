"""Views of the reminder to practise, and its calendar file."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from coach.accounts.access import trainees_only
from coach.lib.web.http import SignedInRequest, attachment
from coach.lib.words.dates import zone_here
from coach.practice.models import PracticeReminder
from coach.practice.today.calendar_file import calendar_file
from coach.practice.today.forms import ReminderForm
from coach.practice.today.reminders import delete_reminder, set_reminder
from coach.practice.today.selectors import reminders_for
from coach.rehearsals.selectors import own_rehearsals_for


@require_http_methods(["GET", "POST"])
@trainees_only
def reminder(request: SignedInRequest) -> HttpResponse:
    """Show the reminder, save it, or delete it."""
    if "delete" in request.POST:
        delete_reminder(person=request.user)
        messages.success(request, _("Reminder deleted."))
        return redirect("practice:reminder")
    saved = reminders_for(request.user).first()
    form = ReminderForm(request.POST or None, initial=_values(saved))
    if request.method == "POST" and form.is_valid():
        set_reminder(person=request.user, zone=str(zone_here()), **form.cleaned_data)
        messages.success(request, _("Reminder saved."))
        return redirect("practice:reminder")
    context = {
        "form": form,
        "saved": saved,
        "has_take": own_rehearsals_for(request.user).exists(),
        "email": request.user.email,
    }
    return render(request, "practice/reminder.html", context, status=422 if form.errors else 200)


def _values(saved: PracticeReminder | None) -> dict[str, object] | None:
    return {"at": saved.at, "days": saved.days, "by_email": saved.by_email} if saved else None


@require_safe
@trainees_only
def calendar(request: SignedInRequest) -> HttpResponse:
    """Download the reminder for a calendar."""
    saved = get_object_or_404(reminders_for(request.user))
    content = calendar_file(saved, timezone.now())
    headers = attachment("rostrum.ics")
    return HttpResponse(content, content_type="text/calendar; charset=utf-8", headers=headers)
