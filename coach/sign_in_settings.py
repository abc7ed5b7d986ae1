"""Settings of people and how they sign in. `coach.settings` takes every name from here."""

from __future__ import annotations

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
ACCOUNT_FORMS = {
    "reset_password_from_key": "coach.accounts.passwords.ChosenPasswordForm",
    "change_password": "coach.accounts.passwords.ChangedPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# The link was theirs and works once: typing the password a third time would prove no more. What
# else stands between a password and a session (a closed account, a second factor) still does.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
# For an address from one place (coach.accounts.adapter); the slow limit holds wherever one tries.
ACCOUNT_RATE_LIMITS = {"login_failed": "10/m/ip,5/5m/key", "login_failed_anywhere": "60/h/key"}
# A stranger cannot have us write to anybody; the page answers the same either way.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
# What cannot be undone asks for the password again after so many seconds (rule of thumb).
ACCOUNT_REAUTHENTICATION_TIMEOUT = 600
# And nothing else: whoever holds an open page and the mail beside it knows no password.
ACCOUNT_REAUTHENTICATION_METHODS = ("password",)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "portal:home"
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
