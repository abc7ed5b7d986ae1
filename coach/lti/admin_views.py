"""Views of administrators: learning platforms, and the groups of their courses."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from coach.accounts.access import administrators_only
from coach.accounts.freshness import ask_password, password_again
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.lti.forms import CourseForm, PlatformForm
from coach.lti.keys import is_on
from coach.lti.models import Platform
from coach.lti.selectors import courses_for, platforms_for, problems_of
from coach.lti.services import delete_platform, map_course, save_platform

_MOST_COURSES = 200


@require_http_methods(["GET", "POST"])
@do_not_replay
@administrators_only
def platforms(request: SignedInRequest) -> HttpResponse:
    """List the platforms with our own addresses, and register one."""
    _check_open()
    form = PlatformForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        ask_password(request)
        if _save(form, request):
            messages.success(request, _("Registered. Open the tool once in a course next."))
            return redirect("lti:platform", form.instance.pk)
    context = {"form": form, "platforms": platforms_for(request.user), "ours": _ours(request)}
    return render(request, "lti/platforms.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@do_not_replay
@administrators_only
def platform(request: SignedInRequest, platform_id: UUID) -> HttpResponse:
    """Show a platform with its courses, and change it."""
    _check_open()
    found = get_object_or_404(platforms_for(request.user), pk=platform_id)
    form = PlatformForm(request.POST or None, instance=found)
    if request.method == "POST" and form.is_valid():
        ask_password(request)
        if _save(form, request):
            messages.success(request, _("Saved."))
            return redirect("lti:platform", found.pk)
    return _page(request, found, form)


def _save(form: PlatformForm, request: SignedInRequest) -> bool:
    try:
        save_platform(platform=form.instance, actor=request.user)
    except ValidationError as error:
        form.add_error(None, error)
        return False
    return True


def _page(request: SignedInRequest, found: Platform, form: PlatformForm) -> HttpResponse:
    courses = courses_for(request.user).filter(platform=found)[:_MOST_COURSES]
    context = {
        "platform": found,
        "form": form,
        "ours": _ours(request),
        "problems": problems_of(found),
        "courses": [
            (each, CourseForm(instance=each, auto_id=f"id_{each.pk}_%s")) for each in courses
        ],
    }
    return render(request, "lti/platform.html", context, status=422 if form.errors else 200)


@require_POST
@do_not_replay
@administrators_only
@password_again
def delete(request: SignedInRequest, platform_id: UUID) -> HttpResponse:
    """Delete a platform."""
    _check_open()
    found = get_object_or_404(platforms_for(request.user), pk=platform_id)
    delete_platform(platform=found, actor=request.user)
    messages.success(request, _("Deleted. People, groups and takes stay."))
    return redirect("lti:platforms")


@require_POST
@administrators_only
def course(request: SignedInRequest, course_id: UUID) -> HttpResponse:
    """Choose the group that people of a course join."""
    _check_open()
    found = get_object_or_404(courses_for(request.user), pk=course_id)
    form = CourseForm(request.POST)
    if not form.is_valid():
        raise Http404
    map_course(course=found, cohort=form.cleaned_data["cohort"], actor=request.user)
    messages.success(request, _("Saved."))
    return redirect("lti:platform", found.platform_id)


def _ours(request: HttpRequest) -> list[tuple[str, str]]:
    """Return our addresses, to paste into the platform."""
    names = {
        "lti:login": _("Login initiation"),
        "lti:launch": _("Launch and redirect"),
        "lti:deep_link": _("Deep linking (second redirect address)"),
        "lti:keys": _("Public keyset (JWKS)"),
    }
    return [(words, request.build_absolute_uri(reverse(name))) for name, words in names.items()]


def _check_open() -> None:
    if not is_on():
        raise Http404
