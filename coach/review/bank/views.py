"""Views of the comment bank: its page, and suggestions while typing."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from coach.accounts.access import coaches_only
from coach.lib.pages.forms import first_error
from coach.lib.web.http import SignedInRequest
from coach.rehearsals.models import Goal
from coach.review.bank.comments import (
    CommentWords,
    change_comment,
    comments_for,
    comments_found,
    count_use,
    keep_comment,
    own_comments_for,
    remove_comment,
)
from coach.review.bank.page import bank_page
from coach.review.bank.starter import keep_starters
from coach.review.forms import BankForm


@require_GET
@coaches_only
def comments(request: SignedInRequest) -> HttpResponse:
    """Show the coach's comments and those of their groups, by tag, or those found by words."""
    wanted, language = request.GET.get("q", "").strip()[:100], request.GET.get("language", "")
    page = bank_page(request.user, wanted, language)
    return render(request, "review/comments.html", {"page": page})


@require_GET
@coaches_only
def find_comments(request: SignedInRequest) -> HttpResponse:
    """Return comments that match the words after "/", as list options."""
    found = comments_found(request.user, request.GET.get("q", "")[:100])
    return render(request, "review/_comments_found.html", {"comments": found})


@require_POST
@coaches_only
def add_comment(request: SignedInRequest) -> HttpResponse:
    """Save a sentence; return one sentence for htmx, as on the review page."""
    form = BankForm(request.POST)
    problem = "" if form.is_valid() else first_error(form)
    if not problem:
        try:
            keep_comment(coach=request.user, words=CommentWords(**form.cleaned_data))
        except ValidationError as error:
            problem = error.messages[0]
    said = problem or _("Saved. Type “/” in any text field on the review page to insert it.")
    if request.htmx:
        return HttpResponse(escape(said))
    (messages.error if problem else messages.success)(request, said)
    return redirect("review:comments")


@require_POST
@coaches_only
def add_starters(request: SignedInRequest) -> HttpResponse:
    """Copy the starter sentences about one quality, or about all, to the coach's bank."""
    tag, language = request.POST.get("tag", ""), request.POST.get("language", "")
    tags = [tag] if tag in Goal.values else Goal.values
    count = keep_starters(coach=request.user, language=language, tags=tags)
    words = ngettext(
        "%(count)s sentence added. Change or remove it as you like.",
        "%(count)s sentences added. Change or remove them as you like.",
        count,
    )
    messages.success(request, words % {"count": count})
    return redirect("review:comments")


@require_POST
@coaches_only
def edit_comment(request: SignedInRequest, comment_id: int) -> HttpResponse:
    """Change an own sentence, or delete it (`wish=remove`)."""
    comment = get_object_or_404(own_comments_for(request.user), pk=comment_id)
    if request.POST.get("wish") == "remove":
        remove_comment(comment=comment, coach=request.user)
        messages.success(request, _("Deleted. Texts that already use it stay as they are."))
        return redirect("review:comments")
    form = BankForm(request.POST)
    problem = "" if form.is_valid() else first_error(form)
    if not problem:
        words = CommentWords(**form.cleaned_data)
        try:
            change_comment(comment=comment, coach=request.user, words=words)
        except ValidationError as error:
            problem = error.messages[0]
    if problem:
        messages.error(request, problem)
    return redirect("review:comments")


@require_POST
@coaches_only
def use_comment(request: SignedInRequest, comment_id: int) -> HttpResponse:
    """Count a use of a comment, so that frequent ones are offered first."""
    count_use(comment=get_object_or_404(comments_for(request.user), pk=comment_id))
    return HttpResponse(status=204)
