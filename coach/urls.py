"""All URLs of the site."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.auth.models import Group
from django.urls import include, path
from django.utils.translation import gettext_lazy as _
from django.views.generic import RedirectView

from coach.feedback import urls as feedback
from coach.rehearsals import urls as rehearsals
from coach.uploads import urls as uploads

# The product's own sign-in, with its rate limits, protects the administration too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_title = _("Rostrum")
admin.site.site_header = _("Rostrum: administration")
admin.site.index_title = _("People, groups and what happened")
# A person has one address, stored with the person, and roles in place of groups. Django's pages
# would show the secrets of second factors. The provider of the settings is the only one.
for model in (EmailAddress, Group, Authenticator, SocialAccount, SocialApp, SocialToken):
    if admin.site.is_registered(model):
        admin.site.unregister(model)

urlpatterns = [
    path("", include("coach.portal.urls")),
    path("", include((feedback.urlpatterns + uploads.pages, feedback.app_name))),
    path("", include("coach.practice.urls")),
    path("", include("coach.questions.urls")),
    path("", include("coach.assignments.urls")),
    path(
        "rehearsals/",
        include((rehearsals.urlpatterns + uploads.resumable, rehearsals.app_name)),
    ),
    path("", include("coach.guests.urls")),
    path("slides/", include("coach.slides.urls")),
    path("news/", include("coach.notices.urls")),
    path("review/", include("coach.review.urls")),
    path("rules/", include("coach.curation.urls")),
    path("research/", include("coach.research.urls")),
    # Addresses identify people here: administrators change them, since none is verified.
    path("accounts/email/", RedirectView.as_view(pattern_name="portal:privacy")),
    # People without a password choose one by an email, which proves that the address is theirs.
    path("accounts/password/set/", RedirectView.as_view(pattern_name="account_reset_password")),
    path("accounts/sessions/", include("coach.accounts.sessions.urls")),
    path("administration/webhooks/", include("coach.webhooks.urls")),
    path("", include("coach.lti.urls")),
    path("administration/scim/", include("coach.scim.urls")),
    path("scim/v2/", include("coach.scim.v2.urls")),
    path("accounts/tokens/", include("coach.api.urls")),
    path("api/v1/", include("coach.api.v1.urls")),
    path("accounts/oidc/", include("coach.accounts.oidc.urls")),
    path("accounts/", include("allauth.account.urls")),
    # One page for all second factors.
    path("accounts/2fa/webauthn/", RedirectView.as_view(pattern_name="mfa_index")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    # One page to change one's password, where it is logged.
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", admin.site.urls),
]
