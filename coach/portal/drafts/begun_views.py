"""What somebody is typing, on any page: kept while they do, and given back to them alone."""

from __future__ import annotations

import json

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from coach.lib.pages.plain_text import storable
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.portal.drafts.selectors import begun_forms_for
from coach.portal.drafts.services import keep_begun_form


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
@do_not_replay
def begun(request: SignedInRequest) -> HttpResponse:
    """GET ?page=: the forms of that page which this person began. POST: keep one."""
    if request.method == "GET":
        page = storable(request.GET.get("page", ""))
        found = begun_forms_for(request.user).filter(page=page)
        forms = list(found.values("form", "fields"))
        return JsonResponse({"forms": forms, "owner": request.user.pk})
    try:
        keep_begun_form(
            user=request.user,
            page=request.POST.get("page", ""),
            form=request.POST.get("form", ""),
            fields=json.loads(request.POST.get("fields", "")),
        )
    except (ValueError, RecursionError):
        return HttpResponse(status=400)
    return HttpResponse(status=204)
