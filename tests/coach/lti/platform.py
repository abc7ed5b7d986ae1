"""A learning platform: lti1p3platform signs, grants and checks; the routes are ours, over TLS."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.membership import Context
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request
from lti1p3platform.response import Response, generate_next_link
from lti1p3platform.score import UpdateScoreStatus
from lti1p3platform.service_connector import (
    AssignmentsGradesService,
    NamesRoleProvisioningService,
)

HOST = "moodle.uni.example"
ISSUER = f"https://{HOST}"
TOOL = "http://testserver"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"


def new_key() -> str:
    """A private key in PEM."""
    made = rsa.generate_private_key(65537, 2048)
    return made.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def public_half(pem: str) -> str:
    key = serialization.load_pem_private_key(pem.encode(), password=None)
    return (
        key.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode()
    )


class _Config(LTI1P3PlatformConfAbstract):
    def init_platform_config(self, **kwargs: Any) -> None:
        self._registration = kwargs["registration"]

    def get_registration_by_params(self, **_kwargs: Any) -> Registration:
        return self._registration


class _Login(OIDCLoginAbstract):
    def set_lti_message_hint(self, **_kwargs: Any) -> None:
        self._lti_message_hint = "link-1"

    def get_redirect(self, url: str) -> str:
        return url


class _Launch(LTIAdvantageMessageLaunchAbstract):
    def render_launch_form(self, launch_data: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
        return launch_data


class _Members(NamesRoleProvisioningService):
    at: Platform

    def get_context_by_id(self) -> Context:
        return Context(id="course-1", label="T1", title="Talks")

    def get_member_data_page(self, page: Any = 1, **_more: Any) -> Any:
        here = self.at.members[2 * (int(page) - 1) :]
        return {"content": here[:2], "has_next": len(here) > 2}


class _Columns(AssignmentsGradesService):
    at: Platform

    def update_score(self, line_item_id: str, score: Any) -> UpdateScoreStatus:
        self.at.scores.append((line_item_id, score))
        return UpdateScoreStatus.SUCCESS

    def _never(self, *_args: Any, **_kwargs: Any) -> Any:
        raise AssertionError

    find_lineitems = find_lineitem = create_lineitem = _never
    update_lineitem = delete_lineitem = get_results = _never


class _Asked(Request):
    def build_metadata(self, request: Any) -> Any:
        return request


class Platform:
    """What it knows and got, and how it launches."""

    def __init__(self) -> None:
        self.pem = new_key()
        self.registration = (
            Registration()
            .set_iss(ISSUER)
            .set_client_id("rostrum-1")
            .set_deployment_id("7")
            .set_launch_url(f"{TOOL}/lti/launch/")
            .set_deeplink_launch_url(f"{TOOL}/lti/launch/deep-link/")
            .set_oidc_login_url(f"{TOOL}/lti/login/")
            .set_platform_private_key(self.pem)
            .set_platform_public_key(public_half(self.pem))
        )
        self.config = _Config(registration=self.registration)
        self.port = 0
        self.asked: list[str] = []
        self.scores: list[tuple[str, dict[str, Any]]] = []
        self.members: list[dict[str, Any]] = []
        self.fails = False
        self.next_page = ""
        self.home = ""
        """Where people see its pages, if not at its name."""
        self.shows: Callable[[str, dict[str, str]], str] | None = None

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.port}"

    def column(self, number: int = 1) -> str:
        return f"{self.url}/columns/{number}?type_id=3"

    def know_tool(self, keys: dict[str, Any]) -> None:
        self.registration.set_tool_key_set(keys)  # type: ignore[arg-type]

    # --- launches

    def begin(self, client: Client, *, deep_link: bool = False, **headers: str) -> HttpResponse:
        """Somebody follows a link of the platform."""
        login = _Login(None, self.config)
        login.set_lti_message_hint()
        if deep_link:
            login.set_deeplinking_launch_url()
        url = urlsplit(login.initiate_login("user-hint"))
        return client.get(f"{url.path}?{url.query}", headers=headers)  # type: ignore[return-value]

    def question(self, page: HttpResponse) -> dict[str, str]:
        """What the tool asks at the platform's authentication request address."""
        url = page.headers["Location"]
        assert url.startswith(f"{self.url}/auth?tenant=a&")
        return dict(parse_qsl(urlsplit(url).query))

    def message(
        self,
        question: dict[str, str],
        *,
        subject: str = "u-17",
        role: str = "Learner",
        deep_link: bool = False,
        assignment: object = None,
        **more: Any,
    ) -> _Launch:
        asked = _Asked({"get_data": question, "form_data": {}})
        made = _Launch(asked, self.config)
        made.set_user_data(
            subject,
            [MEMBERSHIP + role],
            full_name=more.pop("name", "Mina M."),
            email_address=more.pop("email", "mina@uni.example"),
        )
        made.set_resource_link_claim("link-1")
        made.set_launch_context_claim("course-1", context_title="Talks in spring")
        if assignment is not None:
            made.set_custom_parameters_claim({"assignment": str(assignment)})
        made.set_ags(f"{self.url}/columns", more.pop("column", self.column()))
        made.set_nrps(f"{self.url}/members")
        if deep_link:
            made.set_dl(
                f"{self.home or self.url}/return", accept_types={"ltiResourceLink"}, extra_data=DATA
            )
        made.set_extra_claims(more)
        return made

    def launch(self, client: Client, *, deep_link: bool = False, **said: Any) -> HttpResponse:
        """The whole way: the link, the question, and the signed answer."""
        question = self.question(self.begin(client, deep_link=deep_link))
        answer = self.message(question, deep_link=deep_link, **said).lti_launch()
        return self.post(client, answer)

    def post(self, client: Client, answer: dict[str, str]) -> HttpResponse:
        path = urlsplit(answer["launch_url"]).path
        sent = {name: answer[name] for name in ("id_token", "state")}
        return client.post(path, sent)  # type: ignore[return-value]

    # --- services

    def respond(self, asked: dict[str, Any]) -> tuple[int, Any, dict[str, str]]:
        path = asked["path"]
        self.asked.append(path)
        if self.fails:
            return 500, None, {}
        request = _Asked(asked)
        match path.split("/")[1:]:
            case ["course" | "auth" | "return"] if self.shows:
                return 200, self.shows(path, asked["get_data"] | asked["form_data"]), {}
            case ["jwks"]:
                return 200, self.config.get_jwks(), {}
            case ["token"]:
                return 200, self.config.get_access_token(asked["form_data"]), {}
            case ["members"]:
                members = _Members(request, self.config, f"{self.url}/members")
                members.at = self
                asked["get_data"].setdefault("limit", 2)
                found = members.handle_resp(members.handle_get_members)
                page = int(asked["get_data"].get("page", 1))
                following = self.next_page or f"{self.url}/members?page={page + 1}"
                more = page * 2 < len(self.members)
                return _answer(found, {"Link": generate_next_link(following)} if more else {})
            case ["columns", number, "scores"]:
                assert asked["get_data"] == {"type_id": "3"}
                columns = _Columns(request, self.config, f"{self.url}/columns")
                columns.at = self
                return _answer(
                    columns.handle_resp(columns.handle_update_score, line_item_id=number), {}
                )
        return 404, None, {}


DATA: Any = "opaque data"


def _answer(found: Response, headers: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
    return found.code, found.result, headers


def _handler(platform: Platform) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            url = urlsplit(self.path)
            sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            is_json = "json" in self.headers.get("Content-Type", "")
            status, said, headers = platform.respond(
                {
                    "method": self.command,
                    "path": url.path,
                    "get_data": dict(parse_qsl(url.query)),
                    "form_data": {} if is_json else dict(parse_qsl(sent.decode())),
                    "json": json.loads(sent) if is_json else None,
                    "headers": dict(self.headers),
                    "content_type": self.headers.get("Content-Type"),
                }
            )
            body = b""
            if isinstance(said, str):
                body, headers = said.encode(), {"Content-Type": "text/html", **headers}
            elif said is not None:
                body = json.dumps(said, default=vars).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_said: object) -> None:
            """Say nothing."""

    return Handler


@contextmanager
def running_platform(pem: Path) -> Iterator[Platform]:
    """Start the platform on a free port of this machine."""
    platform = Platform()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(platform))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    platform.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield platform
    finally:
        server.shutdown()
        server.server_close()


def fields(platform: Platform) -> dict[str, str]:
    """The form of an administrator for this platform."""
    return {
        "name": "Moodle",
        "issuer": ISSUER,
        "client_id": "rostrum-1",
        "deployment_ids": "7, 8",
        "login_url": f"{platform.url}/auth?tenant=a",
        "token_url": f"{platform.url}/token",
        "keys_url": f"{platform.url}/jwks",
        "makes_accounts": "on",
        "is_active": "on",
    }


def page_of(name: str, *args: object) -> str:
    return reverse(f"lti:{name}", args=args)
