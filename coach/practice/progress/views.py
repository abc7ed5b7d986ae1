"""View of one's own progress."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from coach.accounts.access import trainees_only
from coach.lib.web.http import SignedInRequest
from coach.practice.progress.page import own_progress


@require_safe
@trainees_only
def progress(request: SignedInRequest) -> HttpResponse:
    """Show the person's takes in one situation, from first to last."""
    asked = request.GET.get("of", "")
    wanted = int(asked) if asked.isdecimal() and len(asked) < 3 else 0
    page = own_progress(request.user, wanted)
    return render(request, "practice/progress.html", {"page": page})
