"""The errors between a program and the daemon. Each error's text is a sentence."""

from __future__ import annotations

from typing import Literal

EndKind = Literal["reset", "malformed", "version"]


class TouchrouteError(Exception):
    """Any of the errors below."""


class ConnectError(TouchrouteError):
    """No connection could be made."""


class EndedError(TouchrouteError):
    """The connection has ended, and the library does not reconnect.

    kind: "reset"; "malformed" if one end broke the protocol; "version" if the daemon and this
    library have no version of it in common.
    """

    def __init__(self, kind: EndKind, text: str) -> None:
        super().__init__(text)
        self.kind: EndKind = kind


class RequestError(TouchrouteError):
    """An argument has a wrong type or is out of range, or a limit of the library is reached.
    Nothing was sent."""


class FullError(TouchrouteError):
    """Too many requests wait for the daemon. Try again later."""


class AwayError(TouchrouteError):
    """There is no connection at the moment; the library is reconnecting."""
