"""All URLs of the product."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

# The product's own sign-in stands before the administration too: it slows down who guesses.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", include("coach.portal.urls")),
    path("", include("coach.feedback.urls")),
    path("rehearsals/", include("coach.rehearsals.urls")),
    path("review/", include("coach.review.urls")),
    path("rules/", include("coach.curation.urls")),
    path("research/", include("coach.research.urls")),
    # Addresses are how people are known here: administrators change them, since none is verified.
    path("accounts/email/", RedirectView.as_view(pattern_name="portal:privacy")),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
]
