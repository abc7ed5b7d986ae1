"""Who may enter the studio."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse

from coach.lib.http import SignedInRequest

_Rest = ParamSpec("_Rest")
_View = Callable[Concatenate[SignedInRequest, _Rest], HttpResponse]


def curators_only(view: _View[_Rest]) -> _View[_Rest]:
    """The view for curators; anybody else learns that there is no such page."""

    @wraps(view)
    def guarded(
        request: SignedInRequest, /, *args: _Rest.args, **kwargs: _Rest.kwargs
    ) -> HttpResponse:
        if not request.user.can_curate:
            raise Http404
        return view(request, *args, **kwargs)

    return login_required(guarded)
