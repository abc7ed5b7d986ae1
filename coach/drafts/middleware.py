"""Recovery of forms that are submitted after their session has expired.

The form's token identifies the user for whom its page was made (`page_owner`). It is saved for that
user, who signs in and submits it with one button. Views are not involved. Autosaved drafts are
also deleted here, once their form is accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.messages import ERROR, get_messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect, trigger_client_event
from django_htmx.middleware import HtmxDetails

from coach.accounts.models import User
from coach.drafts.models import FormDraft
from coach.drafts.page_owner import owner_of_page, remember_page_owner
from coach.drafts.purge import is_about_deleted_take
from coach.drafts.selectors import submitted_drafts_for
from coach.drafts.services import (
    delete_autosaved_draft,
    delete_submitted_draft,
    save_submitted_draft,
)
from coach.drafts.submitted import SubmittedForm, filled_in, read_form
from coach.lib.files.full_disk import answers_full_disk
from coach.lib.web.http import uuid_of, wants_json
from coach.lib.web.large_bodies import is_large

DRAFT = "draft"
"""The form field that names the autosaved draft of the form (page, space, form), and the query
parameter with the key of the submitted draft that is submitted again."""


def draft_recovery_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return the middleware; it belongs after those for authentication, messages and htmx."""

    @answers_full_disk
    def answer(request: HttpRequest) -> HttpResponseBase:
        # Earlier unread messages are not about this form.
        earlier = len(get_messages(request)) if request.method == "POST" else 0
        response = get_response(request)
        if _asks_to_sign_in(request, response):
            return _answer_signed_out(request)
        if request.META.get("CSRF_COOKIE_NEEDS_UPDATE") and request.user.is_authenticated:
            remember_page_owner(request, response, request.user)
            _lead_to_draft(request, request.user, response)
        if request.method == "POST":
            _delete_submitted(request, response)
            _delete_autosaved(request, response, earlier=earlier)
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
    """Return the URL of the form's page, or the start page if the browser does not send it."""
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    came_from = (htmx.current_url if htmx else None) or request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}):
        return reverse("portal:home")
    page = urlunsplit(urlsplit(came_from)._replace(scheme="", netloc="", fragment=""))
    # The rest of http://ours//theirs.org/ is an address at theirs.org for a browser.
    return page if url_has_allowed_host_and_scheme(page, None) else reverse("portal:home")


def _answer_signed_out(request: HttpRequest, form: SubmittedForm | None = None) -> HttpResponseBase:
    if request.method != "POST":
        return HttpResponseClientRedirect(_sign_in_and_go_to(page_of(request)))
    draft = _save(request, form or read_form(request))
    if _is_htmx(request):
        words = _(
            "You were signed out in the meantime, so this was not sent. Nothing here is lost."
        )
        return _notice(words, url=_sign_in_and_go_to(_back_to(request, draft)))
    if draft:
        words = _("You were signed out before this was sent. Sign in to find it again.")
    else:
        words = _("You were signed out before this was done. Sign in, then do it again.")
    messages.warning(request, words)
    return redirect(_sign_in_and_go_to(_back_to(request, draft)))


def _sign_in_and_go_to(page: str) -> str:
    return f"{resolve_url(settings.LOGIN_URL)}?{urlencode({'next': page})}"


def _back_to(request: HttpRequest, draft: FormDraft | None) -> str:
    return reverse("portal:kept", args=[draft.pk]) if draft else page_of(request)


def _notice(words: str, *, url: str) -> HttpResponse:
    """Return a response for htmx: the page stays, and app.js shows the words with a link."""
    response = HttpResponse(status=401)
    return trigger_client_event(response, "signedOut", {"words": words, "url": url})


def _save(request: HttpRequest, form: SubmittedForm) -> FormDraft | None:
    """Save the form for the owner of its page. Return None if nothing was filled in."""
    match = request.resolver_match
    owner = owner_of_page(request, form.token)
    if owner is None or getattr(match and match.func, "is_asked_anew", False):
        return None
    if not form.files and not filled_in(request.path, form.fields):
        return None  # a button was pressed, or the page itself reported something
    if is_about_deleted_take(request.path):
        return None
    address = urlsplit(request.get_full_path())
    query = [pair for pair in parse_qsl(address.query) if pair[0] != DRAFT]
    return save_submitted_draft(
        user=owner,
        url=urlunsplit(address._replace(query=urlencode(query))),
        page=page_of(request),
        fields=form.fields,
        files=form.files,
    )


def _lead_to_draft(request: HttpRequest, user: User, response: HttpResponseBase) -> None:
    """Redirect a user who has just signed in to their newest submitted draft, if any."""
    home = resolve_url(settings.LOGIN_REDIRECT_URL)
    if response.headers.get("Location") != home or request.path != resolve_url(settings.LOGIN_URL):
        return
    for draft in submitted_drafts_for(user):
        if draft.files or filled_in(draft.form, draft.fields):
            response.headers["Location"] = reverse("portal:kept", args=[draft.pk])
            return


def _delete_submitted(request: HttpRequest, response: HttpResponseBase) -> None:
    """Delete the draft of a resubmitted form, unless its view failed."""
    if not request.user.is_authenticated or response.status_code in {403, 404, 500, 503, 507}:
        return
    draft_id = uuid_of(request.GET.get(DRAFT, ""))
    if draft_id is not None:
        delete_submitted_draft(user=request.user, draft_id=draft_id)


def _delete_autosaved(request: HttpRequest, response: HttpResponseBase, *, earlier: int) -> None:
    """Delete the autosaved draft of an accepted form; keep it if the form was refused."""
    if "_post" not in request.__dict__ or response.status_code >= 400:  # its fields were not read
        return
    if 300 <= response.status_code < 400 and _has_error(request, earlier):
        return
    page, _space, form = request.POST.get(DRAFT, "").partition(" ")
    if form and isinstance(request.user, User):
        delete_autosaved_draft(user=request.user, page=page, form=form)


def _has_error(request: HttpRequest, earlier: int) -> bool:
    """Return whether the view redirects with an error message, so refused the form.

    Reading messages consumes them, so they are added again for the next page.
    """
    waiting = list(get_messages(request))
    for each in waiting:
        messages.add_message(request, each.level, each.message, each.extra_tags)
    return any(each.level >= ERROR for each in waiting[earlier:])


@answers_full_disk
def form_is_stale(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """Handle Django's CSRF failure: the session has changed, or the form is forged.

    A forged form has no secret of our pages, so it is neither saved nor sent.
    """
    if request.path == resolve_url(settings.LOGIN_URL):
        messages.info(request, _("That page has expired. Please sign in again."))
        return redirect(request.get_full_path())
    form = read_form(request)
    owner = owner_of_page(request, form.token)
    if owner is None:
        return render(request, "403_csrf.html", status=403)
    if not request.user.is_authenticated:
        return _answer_signed_out(request, form)
    if owner == request.user and _is_htmx(request):
        response = HttpResponse(status=403)
        return trigger_client_event(response, "staleForm", {"token": get_token(request)})
    draft = _save(request, form)
    if owner == request.user:
        if draft is None:
            messages.warning(
                request, _("You signed in again in the meantime. Please do this again.")
            )
        return redirect(_back_to(request, draft))
    return _belongs_to_somebody_else(request, is_kept=draft is not None)


def _belongs_to_somebody_else(request: HttpRequest, *, is_kept: bool) -> HttpResponseBase:
    if _is_htmx(request):
        words = _("Another person is now signed in here, so this was not sent.")
        return _notice(words, url=reverse("account_logout"))
    return render(request, "403_csrf.html", {"is_kept": is_kept}, status=403)
