"""Second factor at sign-in: passkeys, authenticator apps and recovery codes, by `allauth.mfa`."""
