"""Sign-in at an institution's OpenID Connect provider, by `allauth.socialaccount`."""
