"""Who may enter which part of the site: one gate, one line for each role."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from coach.accounts import navigation
from coach.accounts.models import User
from coach.lib.web.http import SignedInRequest

_Rest = ParamSpec("_Rest")
_View = Callable[Concatenate[SignedInRequest, _Rest], HttpResponse]


def _no_such_page() -> HttpResponse:
    raise Http404


def _ask_your_administrator() -> HttpResponse:
    raise PermissionDenied


def _home() -> HttpResponse:
    return redirect("portal:home")


class Gate:
    """Lets those in who may; anybody else gets one answer. Nobody passes without a sign-in."""

    def __init__(self, may: Callable[[User], bool], otherwise: Callable[[], HttpResponse]) -> None:
        self._may, self._otherwise = may, otherwise

    def __call__(self, view: _View[_Rest]) -> _View[_Rest]:
        """The view behind the gate."""

        @wraps(view)
        def guarded(
            request: SignedInRequest, /, *args: _Rest.args, **kwargs: _Rest.kwargs
        ) -> HttpResponse:
            if not self._may(request.user):
                return self._otherwise()
            return view(request, *args, **kwargs)

        return login_required(guarded)


# Who may practise is a question that an administrator answers, so that is said; the other parts
# are not there for others.
trainees_only = Gate(navigation.PRACTISE.may, _ask_your_administrator)
coaches_only = Gate(navigation.REVIEW.may, _home)
curators_only = Gate(navigation.RULES.may, _no_such_page)
researchers_only = Gate(navigation.RESEARCH.may, _no_such_page)
administrators_only = Gate(navigation.ADMINISTRATION.may, _no_such_page)
