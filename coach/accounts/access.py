"""Access by role to the parts of the site, as decorators for views."""

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


class RequirePermission:
    """A decorator that admits permitted users and gives others one answer. Requires a sign-in."""

    def __init__(self, may: Callable[[User], bool], otherwise: Callable[[], HttpResponse]) -> None:
        self._may, self._otherwise = may, otherwise

    def __call__(self, view: _View[_Rest]) -> _View[_Rest]:
        """Return the view with its permission check."""

        @wraps(view)
        def guarded(
            request: SignedInRequest, /, *args: _Rest.args, **kwargs: _Rest.kwargs
        ) -> HttpResponse:
            if not self._may(request.user):
                return self._otherwise()
            return view(request, *args, **kwargs)

        return login_required(guarded)


# An administrator decides who may practise, so that page tells people to ask one; to others, the
# remaining parts do not seem to exist.
trainees_only = RequirePermission(navigation.PRACTISE.may, _ask_your_administrator)
coaches_only = RequirePermission(navigation.REVIEW.may, _home)
curators_only = RequirePermission(navigation.RULES.may, _no_such_page)
researchers_only = RequirePermission(navigation.RESEARCH.may, _no_such_page)
administrators_only = RequirePermission(navigation.ADMINISTRATION.may, _no_such_page)
# Administrators of departments too; each of these views asks `coach.portal.departments.selectors`.
people_managers_only = RequirePermission(lambda user: user.can_manage_people, _no_such_page)
