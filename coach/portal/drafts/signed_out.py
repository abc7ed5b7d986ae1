"""What is answered where a sign-in has run out meanwhile: nothing that was typed is lost.

A form that comes back too late says by its token for whom its page was made (`PageMark`). What it
holds is kept for that person, who signs in and sends it with one button. Views need not know.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.messages import ERROR, get_messages
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect, trigger_client_event
from django_htmx.middleware import HtmxDetails

from coach.accounts.models import User
from coach.lib.files.full_disk import answers_full_disk, is_full
from coach.lib.web.http import uuid_of, wants_json
from coach.lib.web.large_bodies import is_large
from coach.portal.drafts.forgetting import is_of_what_is_gone
from coach.portal.drafts.page_marks import digest_of_secret
from coach.portal.drafts.selectors import kept_forms_for, owner_of_page
from coach.portal.drafts.services import (
    discard_kept_form,
    forget_begun_form,
    keep_form,
    mark_pages,
)
from coach.portal.drafts.typed import Typed, typed_in, typed_part
from coach.portal.models import KeptForm

log = logging.getLogger(__name__)

BEGUN = "begun"
"""The field in which a form says which begun one it is: page, space, form."""
SENT_FROM = "kept"
"""The name in an address that says which kept form is being sent."""


def draft_recovery_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware, after those for people, messages and htmx."""

    @answers_full_disk
    def answer(request: HttpRequest) -> HttpResponseBase:
        # What was told before and not read yet says nothing of this form.
        told = len(get_messages(request)) if request.method == "POST" else 0
        response = get_response(request)
        if _asks_to_sign_in(request, response):
            return _answer_signed_out(request)
        if request.META.get("CSRF_COOKIE_NEEDS_UPDATE") and request.user.is_authenticated:
            _mark(request, request.user, response)
        if request.method == "POST":
            _forget_what_was_sent(request, response)
            _forget_what_was_begun(request, response, told=told)
        return response

    return answer


def _asks_to_sign_in(request: HttpRequest, response: HttpResponseBase) -> bool:
    pages = {resolve_url(settings.LOGIN_URL), reverse("admin:login")}
    if response.status_code == 413:  # `limit_large_bodies`
        is_form = request.content_type == "multipart/form-data" and not wants_json(request)
        asks = is_form and is_large(request)
    elif response.status_code == 302:
        to = urlsplit(response.headers["Location"])
        asks = to.path in pages and "next=" in to.query
        asks = asks and (request.method == "POST" or _is_htmx(request))
    else:
        asks = False
    return asks and request.path not in pages and not request.user.is_authenticated


def _is_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))


def page_of(request: HttpRequest) -> str:
    """The page on which the form stood; the start page where the browser does not say."""
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    came_from = (htmx.current_url if htmx else None) or request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}):
        return reverse("portal:home")
    page = urlunsplit(urlsplit(came_from)._replace(scheme="", netloc="", fragment=""))
    # Of http://ours//theirs.org/ would be left what a browser takes for their address.
    return page if url_has_allowed_host_and_scheme(page, None) else reverse("portal:home")


def _answer_signed_out(request: HttpRequest, typed: Typed | None = None) -> HttpResponseBase:
    if request.method != "POST":
        return HttpResponseClientRedirect(_sign_in_and_go_to(page_of(request)))
    kept = _keep(request, typed or typed_in(request))
    if _is_htmx(request):
        words = _(
            "You were signed out in the meantime, so this was not sent. Nothing here is lost."
        )
        return _notice(words, url=_sign_in_and_go_to(_back_to(request, kept)))
    if kept:
        words = _("You were signed out before this was sent. Sign in to find it again.")
    else:
        words = _("You were signed out before this was done. Sign in, then do it again.")
    messages.warning(request, words)
    return redirect(_sign_in_and_go_to(_back_to(request, kept)))


def _sign_in_and_go_to(page: str) -> str:
    return f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': page})}"


def _back_to(request: HttpRequest, kept: KeptForm | None) -> str:
    return reverse("portal:kept", args=[kept.pk]) if kept else page_of(request)


def _notice(words: str, *, url: str) -> HttpResponse:
    """For htmx: the page stays as it is, and app.js shows the words with a link."""
    response = HttpResponse(status=401)
    return trigger_client_event(response, "signedOut", {"words": words, "url": url})


def _keep(request: HttpRequest, typed: Typed) -> KeptForm | None:
    """Keep it for the person whose page it came from; None where they had typed nothing."""
    match = request.resolver_match
    owner = owner_of_page(typed.token)
    if owner is None or getattr(match and match.func, "is_asked_anew", False):
        return None
    if not typed.files and not typed_part(request.path, typed.fields):
        return None  # a button was pressed, or the page itself reported something
    if is_of_what_is_gone(request.path):
        return None
    address = urlsplit(request.get_full_path())
    query = [pair for pair in parse_qsl(address.query) if pair[0] != SENT_FROM]
    return keep_form(
        user=owner,
        url=urlunsplit(address._replace(query=urlencode(query))),
        page=page_of(request),
        fields=typed.fields,
        files=typed.files,
    )


def _mark(request: HttpRequest, user: User, response: HttpResponseBase) -> None:
    """Note whose pages these are; who has just signed in is led to what was kept."""
    try:
        mark_pages(digest=digest_of_secret(request.META["CSRF_COOKIE"]), owner_id=user.pk)
    except OperationalError as problem:
        if not is_full(problem):
            raise
        # The page is made and can be read; a form that comes back too late is not known by it.
        log.error("no room to note whose page this is: %s", problem)  # noqa: TRY400
    home = resolve_url(settings.LOGIN_REDIRECT_URL)
    if response.headers.get("Location") != home or request.path != resolve_url(settings.LOGIN_URL):
        return
    for waiting in kept_forms_for(user):
        if waiting.files or typed_part(waiting.url, waiting.fields):
            response.headers["Location"] = reverse("portal:kept", args=[waiting.pk])
            return


def _forget_what_was_sent(request: HttpRequest, response: HttpResponseBase) -> None:
    """It reached its view: what the view made of it is on the page that it answers with."""
    if not request.user.is_authenticated or response.status_code in {403, 404, 500, 503, 507}:
        return
    if SENT_FROM not in request.GET:
        return
    kept_id = uuid_of(request.GET[SENT_FROM])
    if kept_id is not None:
        discard_kept_form(user=request.user, kept_id=kept_id)


def _forget_what_was_begun(request: HttpRequest, response: HttpResponseBase, *, told: int) -> None:
    """A form that was taken is not being typed any more; one that was refused still is."""
    if "_post" not in request.__dict__ or response.status_code >= 400:  # nobody read its fields
        return
    if 300 <= response.status_code < 400 and _has_told_of_an_error(request, told):
        return
    page, _space, form = request.POST.get(BEGUN, "").partition(" ")
    if form and isinstance(request.user, User):
        forget_begun_form(user=request.user, page=page, form=form)


def _has_told_of_an_error(request: HttpRequest, told: int) -> bool:
    """Led back with what was wrong: it was refused. Who looks at messages has read them, so they
    are told once more, for the next page."""
    waiting = list(get_messages(request))
    for each in waiting:
        messages.add_message(request, each.level, each.message, each.extra_tags)
    return any(each.level >= ERROR for each in waiting[told:])


@answers_full_disk
def form_is_stale(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """Django's CSRF failure: somebody signed in or out since the page was made, or it is forged.

    A forged form does not know a secret of any of our pages, so nothing of it is kept or sent.
    """
    if request.path == resolve_url(settings.LOGIN_URL):
        messages.info(request, _("That page has expired. Please sign in again."))
        return redirect(request.get_full_path())
    typed = typed_in(request)
    owner = owner_of_page(typed.token)
    if owner is None:
        return render(request, "403_csrf.html", status=403)
    if not request.user.is_authenticated:
        return _answer_signed_out(request, typed)
    if owner == request.user and _is_htmx(request):
        response = HttpResponse(status=403)
        return trigger_client_event(response, "staleForm", {"token": get_token(request)})
    kept = _keep(request, typed)
    if owner == request.user:
        if kept is None:
            messages.warning(
                request, _("You signed in again in the meantime. Please do this again.")
            )
        return redirect(_back_to(request, kept))
    return _belongs_to_somebody_else(request, is_kept=kept is not None)


def _belongs_to_somebody_else(request: HttpRequest, *, is_kept: bool) -> HttpResponseBase:
    if _is_htmx(request):
        words = _("Another person is now signed in here, so this was not sent.")
        return _notice(words, url=reverse("account_logout"))
    return render(request, "403_csrf.html", {"is_kept": is_kept}, status=403)
