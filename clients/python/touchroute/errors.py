"""What goes wrong between a program and the daemon. Each error's text is a sentence."""

from __future__ import annotations

from typing import Literal

EndKind = Literal["reset", "malformed", "version"]


class TouchrouteError(Exception):
    """Any of the errors below."""


class ConnectError(TouchrouteError):
    """No connection could be made."""


class EndedError(TouchrouteError):
    """The connection has ended, and is not being made again.

    kind: "reset"; "malformed" where one end broke the protocol; "version" where the daemon speaks
    no version of it that is known here.
    """

    def __init__(self, kind: EndKind, text: str) -> None:
        super().__init__(text)
        self.kind: EndKind = kind


class RequestError(TouchrouteError):
    """An argument is of a wrong type or out of range, or a limit of the library was reached; nothing
    was sent."""


class FullError(TouchrouteError):
    """So many requests wait for the daemon that no more can be queued; later they can."""


class AwayError(TouchrouteError):
    """There is no connection at the moment; it is being made again."""
