"""Views that platforms lead people to: login, launch, deep link, keys, and connecting accounts."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlencode, urlsplit

from csp.constants import SELF
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from coach.accounts.freshness import password_again
from coach.audit.services import record_act
from coach.lib.web.http import SignedInRequest, do_not_replay
from coach.lti.arrivals import account_of, connect, sign_in, waiting
from coach.lti.handshake import (
    ASKED,
    ask_platform,
    is_deep_link,
    platform_of,
    receive_message,
    remember_browser,
)
from coach.lti.keys import is_on, public_keys
from coach.lti.links import link_choices
from coach.lti.messages import DeepLinking, Message, Refused
from coach.lti.models import Platform
from coach.lti.selectors import platform_accounts_for
from coach.lti.services import disconnect_account, note_course

log = logging.getLogger(__name__)

_FRAMES = frozenset({"iframe", "frame", "embed", "object"})
"""Values of `Sec-Fetch-Dest` for a page in a frame."""


@csrf_exempt  # the platform sends people here
@do_not_replay
@require_http_methods(["GET", "POST"])
def login(request: HttpRequest) -> HttpResponse:
    """Ask the platform who opens this; in a frame, offer a window of its own first.

    Frames often withhold the camera and cookies.
    """
    _check_open()
    sent = request.POST if request.method == "POST" else request.GET
    asked = {name: sent[name] for name in ASKED if name in sent}
    try:
        platform = platform_of(asked)
    except Refused as error:
        return _refused(request, error)
    is_framed = request.headers.get("Sec-Fetch-Dest") in _FRAMES
    if is_framed and not is_deep_link(request, asked.get("target_link_uri", "")):
        context = {"platform": platform, "address": f"{request.path}?{urlencode(asked)}"}
        return _in_frame(render(request, "lti/new_window.html", context))
    question = ask_platform(request, platform, asked)
    response = redirect(question.url)
    remember_browser(response, question.browser)
    return _in_frame(response)


@csrf_exempt  # a signed message, which answers a question of this browser
@do_not_replay
@require_POST
def launch(request: HttpRequest) -> HttpResponse:
    """Receive the platform's signed message: sign the person in, or offer assignments to link."""
    _check_open()
    try:
        platform, message = receive_message(request)
    except Refused as error:
        return _refused(request, error)
    if message.linking is not None:
        return _choose(request, platform, message, message.linking)
    return sign_in(request, platform, message)


def _choose(
    request: HttpRequest, platform: Platform, message: Message, linking: DeepLinking
) -> HttpResponse:
    """Show the assignments to which an instructor may link; each button leads to the platform.

    It opens no session, so it needs no cookie.
    """
    course = note_course(platform=platform, message=message)
    account = account_of(platform, message.subject)
    is_known = account is not None and account.person.is_active
    context: dict[str, Any] = {"platform": platform, "course": course, "is_known": is_known}
    if account is not None and is_known and course is not None:
        url = request.build_absolute_uri(reverse("lti:launch"))
        context["choices"] = link_choices(account, course, linking, launch_url=url)
        context["return_url"] = linking.return_url
    response = render(request, "lti/choose.html", context)
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(linking.return_url))
    return _in_frame(response, forms_to=origin)


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Show our public key (JWKS)."""
    _check_open()
    return JsonResponse(public_keys(), headers={"Cache-Control": "public, max-age=3600"})


@require_http_methods(["GET", "POST"])
@do_not_replay
@login_required
@password_again
def connect_here(request: SignedInRequest) -> HttpResponse:
    """Connect the account that waits in this session, once its person has signed in."""
    _check_open()
    found = waiting(request)
    if found is None:
        messages.info(request, _("This took a while. Open the assignment in your course again."))
        return redirect("portal:home")
    platform, arrival = found
    if request.method != "POST":
        return render(request, "lti/connect.html", {"platform": platform, "arrival": arrival})
    try:
        onwards = connect(request, request.user, platform, arrival)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("mfa_index")
    messages.success(request, _("Connected. Links in your course open here from now on."))
    return redirect(onwards)


@require_POST
@do_not_replay
@login_required
@password_again
def disconnect(request: SignedInRequest, account_id: int) -> HttpResponse:
    """Disconnect one's own account at a platform."""
    account = get_object_or_404(platform_accounts_for(request.user), pk=account_id)
    try:
        disconnect_account(account=account, actor=request.user)
        messages.success(request, _("Disconnected."))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("mfa_index")


def _check_open() -> None:
    if not is_on():
        raise Http404


def _refused(request: HttpRequest, error: Refused) -> HttpResponse:
    """Say that nothing happened; the reason is for the log alone."""
    log.warning("a launch from a learning platform was refused: %s", error)
    record_act(action="accounts.sign_in_failed", target=None)
    return _in_frame(render(request, "lti/refused.html", status=403))


def _in_frame(response: HttpResponse, *, forms_to: str = "") -> HttpResponse:
    """Let the platforms of the setting show this page in a frame; a form may lead to its platform.

    Every other page stays out of frames.
    """
    replaced: dict[str, list[str]] = {}
    if settings.LTI_FRAME_ANCESTORS:
        replaced["frame-ancestors"] = list(settings.LTI_FRAME_ANCESTORS)
        response.xframe_options_exempt = True
    if forms_to:
        replaced["form-action"] = [SELF, forms_to]
    response._csp_replace = replaced  # type: ignore[attr-defined]  # noqa: SLF001  # as csp does it
    return response
