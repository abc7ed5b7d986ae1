"""Settings of accounts and sign-in. `coach.settings` imports every name from here."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from coach.environment import (
    envbool,
    envchoices,
    envint,
    envissuer,
    envlist,
    envmapping,
    envorigins,
    envrsakey,
    envsecret,
)

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
ACCOUNT_ADAPTER = "coach.accounts.adapter.InvitationOnlyAdapter"
# Ways to an account besides an invitation, which always works: a request that an administrator
# decides on, and addresses of certain domains. allauth's own sign-up stays closed. A trial is one
# short recording without an account.
ACCESS = envchoices("ROSTRUM_ACCESS", ("invitation", "request", "domain", "trial"))
ACCESS_DOMAINS = [domain.lower().lstrip("@") for domain in envlist("ROSTRUM_ACCESS_DOMAINS")]
if "domain" in ACCESS and not ACCESS_DOMAINS:
    raise ImproperlyConfigured("Set ROSTRUM_ACCESS_DOMAINS: ROSTRUM_ACCESS includes domain.")
# The age that visitors confirm before a trial; 0: none. By default, the age from which people in
# the EU consent themselves (GDPR, Art. 8(1); member states may lower it to 13).
TRIAL_LEAST_AGE = envint("ROSTRUM_TRIAL_LEAST_AGE", default=16, most=99)
# Trials within a day, from one network address, which a class may share, and on the whole site
# (rules of thumb).
TRIALS_OF_AN_ADDRESS = envint("ROSTRUM_TRIALS_OF_AN_ADDRESS", default=5, least=1)
TRIALS_A_DAY = envint("ROSTRUM_TRIALS_A_DAY", default=50, least=1)
# Lifetime of links in days: an invitation, and a password reset. Django knows only one, so
# coach.accounts.invitations checks the shorter one.
INVITATION_DAYS = envint("ROSTRUM_INVITATION_DAYS", default=14, least=1, most=90)
RESET_LINK_DAYS = 3
PASSWORD_RESET_TIMEOUT = max(INVITATION_DAYS, RESET_LINK_DAYS) * 24 * 3600
ACCOUNT_FORMS = {
    "login": "coach.accounts.passwords.SignInForm",
    "user_token": "coach.accounts.passwords.PasswordLinkForm",
    "reset_password_from_key": "coach.accounts.passwords.ChosenPasswordForm",
    "change_password": "coach.accounts.passwords.ChangedPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
# Minutes without activity after which a session ends; 0: sessions last two weeks.
IDLE_MINUTES = envint("ROSTRUM_IDLE_MINUTES", default=0, most=14 * 24 * 60)
# Asked at sign-in (None), unless idle sessions end: on a shared computer a session ends with the
# browser.
ACCOUNT_SESSION_REMEMBER = False if IDLE_MINUTES else None
SESSION_COOKIE_AGE = 60 * (IDLE_MINUTES or 14 * 24 * 60)
SESSION_SAVE_EVERY_REQUEST = IDLE_MINUTES > 0
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# The link was theirs and works once: typing the password a third time would prove no more. Other
# checks between a password and a session (a closed account, a second factor) still apply.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# From one network address, and for an account from one network address (coach.accounts.adapter).
# The last limit applies to an account from anywhere: 360 guesses an hour find no password of ten
# characters, and nobody is locked out for longer than five minutes (rules of thumb). Meanwhile a
# person can use an emailed link, or a browser in which they signed in before.
ACCOUNT_RATE_LIMITS = {"login_failed": "10/m/ip,5/5m/key", "login_failed_anywhere": "30/5m/key"}
# Strangers cannot make us email anybody; the page answers the same either way.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
# Seconds after which an irreversible action asks for the password again (rule of thumb).
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
# No other method: a person at an open page, with the mailbox next to it, knows no password.
ACCOUNT_REAUTHENTICATION_METHODS = ("password",)
# Passkeys, authenticator apps and recovery codes, for everybody who wants them, and required of
# people with one of these roles.
SECOND_FACTOR_ROLES = envchoices(
    "ROSTRUM_SECOND_FACTOR", ("trainee", "coach", "curator", "researcher", "administrator")
)
MFA_ADAPTER = "coach.accounts.second_factor.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Addresses are set by administrators; none is verified.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_FORMS = {
    "authenticate": "coach.accounts.second_factor.forms.SignInCodeForm",
    "activate_totp": "coach.accounts.second_factor.forms.ActivateAppForm",
    "add_webauthn": "coach.accounts.second_factor.forms.AddPasskeyForm",
    "edit_webauthn": "coach.accounts.second_factor.forms.RenamePasskeyForm",
}
# Whether administrators may open a recording for an hour, with a reason that its owner reads.
EMERGENCY_ACCESS = envbool("ROSTRUM_EMERGENCY_ACCESS", default=False)
# Whether another administrator has to make an administrator a coach or a researcher.
SECOND_ADMINISTRATOR = envbool("ROSTRUM_SECOND_ADMINISTRATOR", default=False)
# Sign-in at the OpenID Connect provider of an institution; without an issuer there is none.
OIDC_ISSUER = envissuer("ROSTRUM_OIDC_ISSUER")
OIDC_CLIENT_ID = os.environ.get("ROSTRUM_OIDC_CLIENT_ID", "")
OIDC_CLIENT_SECRET = envsecret("ROSTRUM_OIDC_CLIENT_SECRET")
# How the button calls it.
OIDC_NAME = os.environ.get("ROSTRUM_OIDC_NAME") or urlsplit(OIDC_ISSUER).netloc
OIDC_SCOPES = envlist("ROSTRUM_OIDC_SCOPES") or ["openid", "profile", "email"]
# Whether everybody whom the provider knows gets an account; else people who have one connect it.
OIDC_NEW_ACCOUNTS = envbool("ROSTRUM_OIDC_NEW_ACCOUNTS", default=False)
# The claim by which the provider knows a person; it must never change or go to somebody else.
OIDC_ID_CLAIM = os.environ.get("ROSTRUM_OIDC_ID_CLAIM") or "sub"
# The claim with the groups of a person there, and the groups of this site by its values.
OIDC_GROUPS_CLAIM = os.environ.get("ROSTRUM_OIDC_GROUPS_CLAIM") or "groups"
OIDC_TRAINEES = envmapping("ROSTRUM_OIDC_TRAINEES")
OIDC_COACHES = envmapping("ROSTRUM_OIDC_COACHES")
if OIDC_ISSUER and not OIDC_CLIENT_ID:
    raise ImproperlyConfigured("Set ROSTRUM_OIDC_CLIENT_ID: ROSTRUM_OIDC_ISSUER is set.")
# LTI 1.3: the key that signs for learning platforms; without one the site speaks no LTI. And the
# platforms that may show the page of their launch, and the choice of an assignment, in a frame.
LTI_KEY = envrsakey("ROSTRUM_LTI_KEY")
LTI_FRAME_ANCESTORS = envorigins("ROSTRUM_LTI_FRAME_ANCESTORS")
# Access tokens and the API for programs; the longest life of a token in days, and the requests
# of a token within a minute (rules of thumb).
API = envbool("ROSTRUM_API", default=True)
API_TOKEN_DAYS = envint("ROSTRUM_API_TOKEN_DAYS", default=365, least=1, most=3650)
API_PER_MINUTE = envint("ROSTRUM_API_PER_MINUTE", default=120, least=1)
SOCIALACCOUNT_ADAPTER = "coach.accounts.oidc.adapter.SocialAdapter"
SOCIALACCOUNT_PROVIDERS = {
    "openid_connect": {"provider_class": "coach.accounts.oidc.provider.SiteProvider"},
}
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "portal:home"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
