"""Views of notifications and email choices."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from coach.lib.web.http import SignedInRequest
from coach.notices.pages import news_page
from coach.notices.selectors import kinds_for
from coach.notices.services import choose_mails, email_again, note_all_seen


@require_GET
@login_required
def news(request: SignedInRequest) -> HttpResponse:
    """Show the person's notifications, newest first."""
    return render(request, "notices/news.html", {"page": news_page(request)})


@require_POST
@login_required
def all_seen(request: SignedInRequest) -> HttpResponse:
    """Mark all notifications as seen."""
    note_all_seen(person=request.user)
    return redirect("notices:list")


@require_POST
@login_required
def send_again(request: SignedInRequest) -> HttpResponse:
    """Send emails to the person's address again, although an earlier one came back."""
    email_again(person=request.user)
    messages.success(request, _("We send you emails again."))
    return redirect("notices:list")


@require_POST
@login_required
def mails(request: SignedInRequest) -> HttpResponse:
    """Save the person's email choices."""
    choose_mails(
        person=request.user,
        wanted=request.POST.getlist("mail"),
        offered=kinds_for(request.user),
    )
    messages.success(request, _("Saved. From now on, you get these emails."))
    return redirect("notices:list")
