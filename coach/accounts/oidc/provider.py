"""OpenID Connect protocol: requests with PKCE and a nonce, and the checks of each answer."""

from __future__ import annotations

import secrets
import time
from typing import Any, Final

import jwt
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from requests import RequestException

_ALGORITHMS: Final = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384"]
"""Signatures by a public key of the provider. An HMAC would be keyed by the client's secret."""
_REQUIRED: Final = ["iss", "sub", "aud", "exp", "iat", "nonce"]
LEEWAY: Final = 60
"""Seconds by which the clocks of site and provider may differ (rule of thumb)."""
_CACHED: Final = 300
"""Seconds for which the provider's addresses are cached: a visitor at the sign-in page then causes
no request of ours (rule of thumb)."""
_ENDPOINTS: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class SiteOAuth2Adapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # allauth has no stubs
    """Client of the provider, which believes signed and complete answers only."""

    def __init__(self, request: HttpRequest, provider_id: str) -> None:
        super().__init__(request, provider_id)
        self._keys = f"oidc:{provider_id}"

    @property
    def openid_config(self) -> dict[str, Any]:
        """Return the provider's own description, which must name the configured issuer.

        Raises OAuth2Error.
        """
        known: dict[str, Any] | None = cache.get(self._keys)
        if known is None:
            known = self._description()
            cache.set(self._keys, known, _CACHED)
        return known

    def _description(self) -> dict[str, Any]:
        provider = self.get_provider()
        found: dict[str, Any] = self._json(provider.server_url)
        issuer = provider.app.provider_id
        if found.get("issuer") != issuer:
            raise OAuth2Error(f"the provider calls itself {found.get('issuer')!r}")
        addresses = [found.get(name) for name in _ENDPOINTS]
        if found.get("userinfo_endpoint"):
            addresses.append(found["userinfo_endpoint"])
        scheme = issuer.partition("://")[0]
        if not all(str(each).startswith((f"{scheme}://", "https://")) for each in addresses):
            raise OAuth2Error("the provider lacks an address, or has one without TLS")
        return found

    def _json(self, address: str, **headers: str) -> dict[str, Any]:
        try:
            with get_adapter().get_requests_session() as session:
                answer = session.get(address, headers=headers)
            answer.raise_for_status()
            found = answer.json()
        except RequestException as error:
            raise OAuth2Error(f"{address} does not answer") from error
        if not isinstance(found, dict):
            raise OAuth2Error(f"{address} does not answer with an object")
        return found

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        """Return where the provider sends people back to."""
        return request.build_absolute_uri(reverse("oidc_callback"))

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        """Return the sign-in that the provider's signed answer states. Raises OAuth2Error."""
        signed = self._decode_id_token(app, str(kwargs["response"].get("id_token", "")))
        said: dict[str, Any] = {}
        if address := self.openid_config.get("userinfo_endpoint"):
            said = self._json(address, Authorization=f"Bearer {token.token}")
            # Otherwise another person's token could stand in for it (OpenID Connect Core, 5.3.2).
            if said.get("sub") != signed["sub"]:
                raise OAuth2Error("the two answers are about different people")
        return self.get_provider().sociallogin_from_response(request, {**said, **signed})

    def _decode_id_token(self, app: SocialApp, id_token: str) -> dict[str, Any]:
        """Return the claims of an ID token that this provider signed for this site just now."""
        keys = self._json(self.openid_config["jwks_uri"])
        try:
            claims: dict[str, Any] = jwt.decode(
                id_token,
                _key_of(id_token, keys),
                algorithms=_ALGORITHMS,
                audience=app.client_id,
                issuer=app.provider_id,
                leeway=LEEWAY,
                options={"require": _REQUIRED},
            )
        except (jwt.PyJWTError, TypeError, ValueError) as error:
            raise OAuth2Error("the ID token is not valid") from error
        # Of a token for several sites, the one that asked for it.
        if claims.get("azp", app.client_id) != app.client_id:
            raise OAuth2Error("the ID token was made for another site")
        return claims


def _key_of(id_token: str, keys: dict[str, Any]) -> Any:
    """Return the public key that a token names; without a name, the only one."""
    named = jwt.get_unverified_header(id_token).get("kid")
    found = [
        each.key
        for each in jwt.PyJWKSet.from_dict(keys).keys
        if named is None or each.key_id == named
    ]
    if len(found) != 1:
        raise ValueError("the provider has no such key")
    return found[0]


class SiteProvider(OpenIDConnectProvider):  # type: ignore[misc]  # allauth has no stubs
    """The provider of this site."""

    oauth2_adapter_class = SiteOAuth2Adapter

    def redirect(
        self,
        request: HttpRequest,
        process: str,
        next_url: str | None = None,
        data: Any = None,
        **kwargs: Any,
    ) -> HttpResponse:
        """Return a redirect to the provider. The answer must carry the nonce of this session.

        Raises OAuth2Error.
        """
        nonce = secrets.token_urlsafe(32)
        auth_params = {**kwargs.pop("auth_params", {}), "nonce": nonce}
        state = {"nonce": nonce, "asked_at": time.time()}
        answer: HttpResponse = super().redirect(
            request, process, next_url, data, auth_params=auth_params, **state, **kwargs
        )
        return answer

    def sociallogin_from_response(
        self, request: HttpRequest, response: dict[str, Any]
    ) -> SocialLogin:
        """Return the sign-in, with all claims in memory."""
        sociallogin = super().sociallogin_from_response(request, response)
        sociallogin.claims = response
        return sociallogin

    def extract_uid(self, data: dict[str, Any]) -> str:
        """Return the claim by which the provider knows the person. Raises OAuth2Error."""
        uid = data.get(self.app.settings["uid_field"])
        if not uid:
            raise OAuth2Error("the provider does not state ROSTRUM_OIDC_ID_CLAIM")
        return str(uid)

    def extract_extra_data(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return what is stored of the claims: the address there, by which people know it."""
        return {"email": str(data.get("email") or "")}
