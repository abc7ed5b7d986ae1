"""Views for joining a group by the code that its teacher shows."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from coach.accounts.models import Language, User
from coach.portal.joining.forms import CodeForm
from coach.portal.joining.selectors import code_of
from coach.portal.joining.services import ask_for_account, may_ask, may_try_code, use_code
from coach.portal.models import GroupCode


@require_safe
def enter_code(request: HttpRequest) -> HttpResponse:
    """Ask for a code, and continue to its page."""
    if typed := request.GET.get("code", "").strip():
        letters = "".join(each for each in typed if each.isascii() and each.isalnum())[:12]
        return redirect("portal:code", code=letters or "-")
    return render(request, "portal/joining/enter_code.html")


@require_http_methods(["GET", "POST"])
def code(request: HttpRequest, code: str) -> HttpResponse:
    """Join the group of a code: with one's account, or by asking for one."""
    if not may_try_code(request):
        return render(request, "429.html", status=429)
    found = code_of(code)
    if found is None:
        return render(request, "portal/joining/code_over.html", status=404)
    if isinstance(request.user, User):
        return _join(request, found, request.user)
    form = CodeForm(request.POST or None)
    if form.is_valid() and _is_asked(request, form, found):
        return render(request, "portal/joining/asked.html", {"address": form.cleaned_data["email"]})
    context = {"form": form, "group": found.cohort}
    status = 422 if form.errors else 200
    return render(request, "portal/joining/code.html", context, status=status)


def _join(request: HttpRequest, found: GroupCode, person: User) -> HttpResponse:
    if request.method != "POST":
        return render(request, "portal/joining/code.html", {"group": found.cohort})
    try:
        use_code(code=found, person=person)
    except ValidationError:
        return render(request, "portal/joining/code_over.html", status=404)
    messages.success(request, _("You are in the group %(group)s.") % {"group": found.cohort})
    return redirect("portal:home")


def _is_asked(request: HttpRequest, form: CodeForm, found: GroupCode) -> bool:
    said = form.cleaned_data
    if not may_ask(request, said["email"], with_code=True):
        form.add_error(None, _("There were several requests already. Try again tomorrow."))
        return False
    ask_for_account(
        address=said["email"],
        name=said["name"],
        reason="",
        language=get_language() or Language.ENGLISH,
        site=request.build_absolute_uri("/").rstrip("/"),
        code=found,
    )
    return True
