"""Why a socket may not be opened."""

from __future__ import annotations

import grp
import os
import pwd
import stat


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def _group(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


def explain_refusal(path: str) -> str:
    """Who may open the socket, and how this program's user comes to be one of them."""
    user = _user(os.geteuid())
    try:
        status = os.stat(path)
    except OSError:
        return f"user {user} may not open {path}, as its folder may not be searched"
    if not status.st_mode & stat.S_IWGRP or status.st_gid == 0:
        return (
            f"user {user} may not open {path}: only user {_user(status.st_uid)} may, as with sudo"
        )
    group = _group(status.st_gid)
    return (
        f"user {user} may not open {path}: it is for the group {group}. Join it (sudo usermod -aG "
        f"{group} {user}), then log in or start the service anew"
    )
