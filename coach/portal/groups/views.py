"""Views for groups in the administration."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach.accounts.access import administrators_only
from coach.accounts.models import Cohort
from coach.lib.web.http import SignedInRequest
from coach.portal.groups.forms import GroupCodeForm
from coach.portal.groups.page import group_page, groups_page
from coach.portal.groups.services import end_code, make_code
from coach.portal.models import GroupCode


@require_safe
@administrators_only
def groups(request: SignedInRequest) -> HttpResponse:
    """Show the groups by name."""
    rows, paging = groups_page(request)
    return render(request, "portal/groups/groups.html", {"rows": rows, "paging": paging})


@require_http_methods(["GET", "POST"])
@administrators_only
def group(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """Show one group with its codes, and make another code."""
    found = get_object_or_404(Cohort, pk=cohort_id)
    form = GroupCodeForm(request.POST) if request.method == "POST" else None
    if form is not None and form.is_valid():
        said = form.cleaned_data
        make_code(
            cohort=found,
            ends_at=said["ends_on"],
            most_uses=said["most_uses"],
            actor=request.user,
        )
        messages.success(request, _("The code works now. Show it in class."))
        return redirect("portal:group", cohort_id=found.pk)
    context = {"page": group_page(request, found, form)}
    status = 422 if form is not None else 200
    return render(request, "portal/groups/group.html", context, status=status)


@require_POST
@administrators_only
def end(request: SignedInRequest, code_id: UUID) -> HttpResponse:
    """End a code at once."""
    code = get_object_or_404(GroupCode.objects.select_related("cohort"), pk=code_id)
    end_code(code=code, actor=request.user)
    messages.success(request, _("The code has ended. People who joined with it stay."))
    return redirect("portal:group", cohort_id=code.cohort_id)
