#!/usr/bin/env python3
"""Writes the vectors: what a client is sent, what it has to say, and what it has to make of it.

NAME.bin            the bytes from the daemon
NAME.requests.bin   the bytes from the client, hello (of the name "vectors") first
NAME.txt            the script:
    send N          the daemon sends the next N bytes of NAME.bin
    call REQUEST    the program makes a request; "= N" is the serial that it gets
    event EVENT     the program is told; the indented lines after it belong to it
    end KIND        dispatching ends the connection: reset, malformed or version

Every client of the protocol is held to them. The packing here is written by hand, not derived from
touchroute-protocol.h, so that the two check each other. Numbers are in the byte order of x86-64 and
arm64; make.py --big-endian FOLDER writes the vectors for machines of the other order. Times from
1000000 on are the client's own clock, and are written as "now".
"""

import sys
from pathlib import Path

from encode import (MORE, NONE, Vector, attached, cancelled, closing, described_gesture, detached,
                    done, error, gesture, gesture_line, holder, link, message, observed,
                    observed_change, observed_gesture, observed_signal, packed, seen,
                    set_byte_order, text, touch, touches, unseen, view, view_details,
                    view_property, waiting, welcome)


def handshake():
    v = Vector("handshake", "Hello and its answer; later the screens change.")
    v.send(*welcome(screens=(("panel", 800, 480, 0), ("côté", 600.5, 1024, 90))))
    v.send(*welcome(serial=0, screens=(("panel", 480, 800, 270),)))
    v.send(*welcome(serial=0, screens=(), control=1))
    v.end("reset")


def one_touch():
    v = Vector("one_touch",
               "A touch from began to ended; its path is told once and known for its life.")
    v.send(*welcome())
    a = v.attach("home")
    v.send(*attached(a, 17, a))
    path = "home/toolbar/back"
    v.send(*touches(touch(5, "began", 17, a, 1, 2, path=path)))
    v.send(*touches(touch(5, "moved", 17, a, 3, 4.5, time=1008, shown=path, previous=(1, 2)),
                    time=1008, sequence=3))
    v.send(*touches(touch(5, "stationary", 17, a, 3, 4.5, time=1008, shown=path), time=1016,
                    sequence=4))
    v.send(*touches(touch(5, "ended", 17, a, 3, 4.5, time=1024, shown=path, taps=2), time=1024,
                    sequence=5))
    v.end("reset")


def frames():
    v = Vector("frames",
               "Lifts, moves and begans in one frame; two devices; a frame in two messages.")
    a = v.attach("home/list")
    b = v.attach("app:dashboard", handles=7, passes=2, flags=3)
    v.send(*welcome())
    v.send(*attached(a, 1, a, frame=(10, 20, 300, 400), bounds=(0, 500, 300, 400),
                     transform=(1, 0, 0, 1, -10, 480)))
    v.send(*attached(b, 2, b, screen=NONE, frame=(0, 0, 0, 0), transform=(0,) * 6, views=12))
    v.send(*touches(touch(1, "began", 1, a, 1, 1, path="home/list/1"),
                    touch(2, "began", 2, b, 2, 2, path="home/x", target=7)))
    v.send(*touches(touch(9, "began", 2, b, 9, 9, path="side", target=11, screen=1), device=2,
                    sequence=2))
    v.send(*touches(touch(1, "ended", 1, a, 1, 1, shown="home/list/1"),
                    touch(2, "moved", 2, b, 3, 2, shown="home/x", target=7, previous=(2, 2)),
                    touch(3, "began", 1, a, 4, 4, path="home/list/2", target=2), sequence=3,
                    time=2000))
    v.send(*touches(touch(2, "stationary", 2, b, 3, 2, shown="home/x", target=7), more=True,
                    sequence=4))
    v.send(*touches(touch(3, "moved", 1, a, 5, 4, shown="home/list/2", target=2), sequence=4))
    v.send(*touches(touch(2, "cancelled", 2, b, 3, 2, shown="home/x", target=7, reason=3),
                    touch(3, "cancelled", 1, a, 5, 4, shown="home/list/2", target=2, reason=3),
                    sequence=5))
    v.send(*touches(touch(9, "cancelled", 2, b, 9, 9, shown="side", target=11, screen=1, reason=1),
                    device=2, sequence=6))
    v.end("reset")


def history():
    v = Vector("history",
               "Merged moves come with their samples; replayed and injected touches are marked.")
    v.send(*welcome())
    a = v.attach("home", flags=2)
    v.send(*attached(a, 3, a))
    v.send(*touches(touch(1, "began", 3, a, 0, 0, path="home", target=0, flags=1),
                    touch(2, "began", 3, a, 5, 5, path="home/a", flags=2)))
    v.send(*touches(
        touch(1, "moved", 3, a, 3, 3, shown="home", target=0, flags=4,
              samples=((1001, 1, 1), (1002, 2.25, 2))),
        touch(2, "moved", 3, a, 6, 6, shown="home/a", flags=4, samples=((1003, 5.5, 5.5),)),
        sequence=2))
    v.send(*touches(touch(1, "ended", 3, a, 3, 3, shown="home", target=0),
                    touch(2, "ended", 3, a, 6, 6, shown="home/a"), sequence=3))
    v.end("reset")


def phases():
    v = Vector("phases",
               "Attachments that do not get every phase (R4), and one touch for two attachments.")
    v.send(*welcome())
    a = v.attach("home", handles=8 + 4)
    b = v.attach("home/a", handles=1 + 2, passes=1)
    v.send(*attached(a, 1, a)).send(*attached(b, 2, b))
    v.send(*touches(touch(1, "began", 2, b, 0, 0, path="home/a")))
    v.send(*touches(touch(1, "moved", 2, b, 1, 0, shown="home/a", previous=(0, 0)), sequence=2))
    # The first record of each attachment names the target, began or not.
    v.send(*touches(touch(1, "ended", 1, a, 10, 9, path="home/a"), sequence=3))
    v.send(*touches(touch(2, "moved", 1, a, 1, 1, path="home/b"), sequence=4))
    v.send(*touches(touch(2, "stationary", 1, a, 1, 1, shown="home/b"),
                    touch(3, "moved", 1, a, 2, 1, path="home/a/c"), sequence=5))
    v.send(*touches(touch(2, "ended", 1, a, 1, 1, shown="home/b"),
                    touch(3, "stationary", 1, a, 2, 1, shown="home/a/c"), sequence=6))
    v.send(*touches(touch(3, "cancelled", 1, a, 2, 1, shown="home/a/c", reason=3), sequence=7))
    v.send(*touches(touch(4, "stationary", 1, a, 1, 1, path="home/b"),
                    touch(5, "moved", 1, a, 1, 1, path="home"), sequence=8))
    v.send(*touches(touch(4, "moved", 1, a, 3, 1, shown="home/b", previous=(1, 1)),
                    touch(5, "stationary", 1, a, 1, 1, shown="home"), sequence=9))
    # One whose path is too long for a message has none.
    v.send(*touches(touch(6, "ended", 1, a, 1, 1, shown=""), sequence=10))
    # Attachment b began touch 1 and handles neither end: it is live there until the connection
    # ends, and is not told cancelled, which it does not handle.
    v.end("reset")


def layouts():
    v = Vector("layouts", "Geometry that changes, and attachments that end with a touch live.")
    v.send(*welcome())
    a = v.attach("home/a")
    b = v.attach("home/b")
    v.send(*attached(a, 1, a)).send(*attached(b, 2, b))
    v.send(*attached(0, 1, a, generation=2, frame=(5, 5, 10, 10), transform=(0, -1, 1, 0, 3, 4),
                     added=2))
    v.send(*touches(touch(1, "began", 1, a, 0, 0, path="home/a"),
                    touch(2, "began", 2, b, 7, 7, path="home/b")))
    data, line = detached(1, a, 1, 'the layout no longer has "home/a"')
    v.send(data, cancelled(1, a, 0, 0, "home/a", reason=4), line)
    v.send(*touches(touch(2, "moved", 2, b, 8, 7, shown="home/b", previous=(7, 7)), sequence=2))
    data, line = detached(2, b, 2, "taken over by pid 9 (nav)")
    v.send(data, cancelled(2, b, 8, 7, "home/b", reason=6, sequence=2), line)
    # What speaks of an attachment that is no more is skipped.
    v.send(*touches(touch(2, "ended", 2, b, 8, 7), sequence=3, hide=True))
    v.send(attached(0, 2, b)[0]).send(detached(2, b, 0, "")[0])
    v.end("reset")


def holders():
    v = Vector("holders", "Others attach to what lies in the program's windows, and let go of it.")
    v.send(*welcome())
    a = v.attach("home")
    b = v.attach("menu")
    v.send(*attached(a, 7, a)).send(*attached(b, 9, b))
    v.send(*holder(7, a, "home/pin", "keys"))
    v.send(*holder(9, b, "menu@bar", "menü", pid=2147483647, uid=4294967294, handles=3, passes=1))
    # Another one has it now; then nobody has.
    v.send(*holder(7, a, "home/pin", "nav", pid=813, extra=bytes(range(1, 25))))
    v.send(*holder(7, a, "home/pin", "nav", held=0, pid=813))
    # Of an attachment that the program does not have, or does not have any more.
    v.send(holder(8, a, "home/pin", "keys")[0])
    v.send(*detached(9, b, 1, "removed"))
    v.send(holder(9, b, "menu@bar", "x", held=0)[0])
    v.end("reset")


def screens():
    v = Vector("screens", "Screens go dark and are locked; nobody touches what is watched; something is hit.")
    v.send(*welcome())
    for power, cause, words in ((2, 1, "dark"), (3, 2, "waking"), (1, 3, "on")):
        body = packed("IHHII", 1, power, cause, 5, 0) + text("panel")
        v.send(message(0x117, body), f'event screen 1 name="panel" power={power} cause={cause}')
    for watch, is_idle in ((7, 1), (7, 0), (NONE, 1)):
        v.send(message(0x118, packed("II", watch, is_idle)),
               f"event idle {watch} is_idle={is_idle}")
    for remaining, cause in ((30000, 1), (0, 3)):
        body = packed("IIHHI", 1, remaining, cause, 0, 5) + text("panel")
        v.send(message(0x119, body, extra=bytes(range(1, 9))),
               f'event lock 1 name="panel" remaining={remaining} cause={cause}')
    for cause, target in ((1, "home/back"), (2, "home/list#swipe"), (1, "")):
        body = packed("QIHHII", 77, 1, cause, 0 if target else 1, 5, len(target))
        v.send(message(0x11A, body + text("click") + text(target), extra=bytes(range(1, 9))),
               f'event feedback 1 time=77 cause={cause} name="click" target="{target}"')
    v.end("reset")


def in_line():
    v = Vector("in_line", "Attachments that wait for their responder, get it, and lose it again.")
    v.send(*welcome())
    a = v.attach("home/nav", flags=4)
    b = v.attach("menu", flags=6)
    v.send(*waiting(a, 1, a, 0, '"home/nav" is held by pid 812 (nav-app), user kiosk'))
    v.send(*attached(b, 2, b))
    v.send(*touches(touch(1, "began", 2, b, 5, 5, path="menu")))
    data, line = waiting(0, 2, b, 1, "the layout in force has no such responder any more")
    v.send(data, cancelled(1, b, 5, 5, "menu", reason=4), line)
    # Twice is no news, and of an attachment that the program does not have neither.
    v.send(waiting(0, 2, b, 1, "")[0]).send(waiting(0, 9, b, 1, "")[0])
    v.send(*attached(0, 1, a, has_waited=True))
    v.send(*touches(touch(2, "began", 1, a, 0, 0, path="home/nav"), sequence=2))
    v.send(*touches(touch(2, "ended", 1, a, 0, 0, shown="home/nav"), sequence=3))
    # Who waits may give up.
    first = v.call(f"detach {b}", v.request(3, packed("I", 2)))
    v.send(*done(first))
    v.end("reset")


def gestures():
    v = Vector("gestures", "Recognizers that are added, refused and removed, and what they tell.")
    v.send(*welcome())
    a = v.attach("home", flags=8)
    b = v.attach("home/list", flags=8)
    v.send(*attached(a, 1, a))
    v.settle()

    def add(attachment, number, name, view, kind, fingers=(0, 0), taps=0, direction=0, edge=0,
            flags=0, times=(NONE,) * 3, lengths=(-1,) * 4, to="", after=(), feedback="", more=""):
        body = packed("I6BH3I3IHHI4d", number, kind, *fingers, taps, direction, edge, flags,
                           *times, len(name), len(view), len(to), len(after), 0, len(feedback), *lengths)
        body += text(name) + text(view) + text(to)
        for path in after:
            body += packed("II", len(path), 0) + text(path)
        body += text(feedback)
        line = f"add_gesture {attachment} {name} kind={kind}{more}"
        return v.call(line, v.request(9, body))

    pages = add(a, 1, "pages", "home", 3, direction=5, more=" direction=5")
    v.send(*done(pages, total=40))
    twice = add(a, 1, "twice", "home", 1, fingers=(2, 2), taps=2, flags=24, times=(700, NONE, NONE),
                lengths=(12.5, -1, -1, -1), to="home/list", after=("home#pages",),
                feedback="click",
                more=" fewest=2 most=2 taps=2 flags=24 duration=700 slop=12.5 to=home/list "
                     "after=home#pages feedback=click")
    v.send(*error(twice, 9, 9, "there is such a gesture"))
    values = (105, 60.5, 12, 0.5, 600, 25, 1, 0, 0, 0)
    v.send(*gesture(1, a, 40, pages, "home#pages", 3, 2, values))
    v.send(*gesture(1, a, 40, pages, "home#pages", 3, 3, (110, 60.5, 17, 0.5, 500, 0, 1, 0, 0, 0),
                    time=1016))
    v.send(*gesture(1, a, 40, pages, "home#pages", 3, 4, (110, 60.5, 17, 0.5, 0, 0, 1, 0, 0, 0),
                    time=1032, extra=bytes(8)))
    v.send(*gesture(1, a, 7, 0, "home/list#next", 4, 1, (1, 2, 0, 0, 0, 0, 1, 0, 0, 0),
                    direction=1))
    v.send(*gesture(1, a, 8, 0, "screen:panel#zoom", 5, 2, (1, 2, 0, 0, 0, 0, 1.25, 0.5, 0, 0),
                    touches=2))
    v.send(*gesture(1, a, 8, 0, "screen:panel#zoom", 5, 5, (1, 2, 0, 0, 0, 0, 1.5, 0, 0, 0),
                    touches=2, reason=3))
    # Of an attachment that the program does not have it hears nothing.
    v.send(gesture(9, a, 8, 0, "home#x", 5, 2)[0])
    for is_enabled in (0, 1):
        first = v.call(f"enable_gesture {pages} {is_enabled}",
                       v.request(6, packed("I", 1) + change(17, "home#pages", is_enabled)))
        v.send(*done(first))
    first = v.call(f"remove_gesture {pages}", v.request(10, packed("I", 40)))
    v.send(*done(first))
    # A connection that is lost ends what had begun.
    v.send(*gesture(1, a, 9, 0, "home#turn", 6, 2, (1, 2, 0, 0, 0, 0, 1, 0, 12.5, 90), touches=3))
    v.end("reset", gesture_line(a, 0, "home#turn", 6, 5, (1, 2, 0, 0, 0, 0, 1, 0, 12.5, 90), 9,
                                1000000, 3, 0, 0))


def detaching():
    v = Vector("detaching",
               "The program detaches while it is being attached, and with a touch live.")
    v.send(*welcome())
    a = v.attach("home/a")
    b = v.attach("home/b")
    v.send(*attached(a, 1, a))
    v.send(*touches(touch(1, "began", 1, a, 0, 0, path="home/a")))
    first = v.call(f"detach {a}", v.request(3, packed("I", 1)))
    v.send(*touches(touch(1, "moved", 1, a, 1, 0, shown="home/a", previous=(0, 0)), sequence=2))
    data, line = done(first)
    v.send(data, cancelled(1, a, 1, 0, "home/a", reason=8, sequence=2), line)
    v.call(f"detach {b}", v.serial + 1)  # sent once the daemon's number is known
    v.send(*attached(b, 2, b))
    v.settle()
    v.send(*done(v.request(3, packed("I", 2))))
    v.end("reset")


def errors():
    v = Vector("errors", "Requests that fail.")
    a = v.attach("home/nav")
    b = v.attach("nowhere")
    v.send(*welcome())
    v.send(*error(a, 4, 2, '"home/nav" is held by pid 812 (nav-app), user kiosk'))
    v.send(*error(b, 3, 2, 'the layout has no responder "nowhere"'))
    v.send(*error(0, 6, 0, "café: more than 64 attachments"))
    v.send(*error(0, 999, 77, "an error of a newer daemon"))
    s = v.call("status", v.request(16, bytes(4)))
    v.send(*error(s, 5, 16, "status is for the control socket"))
    v.end("reset")


def deciding():
    v = Vector("deciding", "accept, and ping.")
    v.send(*welcome())
    a = v.attach("home")
    v.send(*attached(a, 40, a))
    v.send(*touches(touch(77, "began", 40, a, 0, 0, path="home", target=0)))
    v.request(4, packed("IQ", 40, 77))
    v.call(f"accept {a} 77", 0)  # has no answer, so no serial is shown
    # One that is not live here: a program may come to its beginning when it has ended.
    v.request(4, packed("IQ", 40, 76))
    v.call(f"accept {a} 76", 0)
    p = v.call("ping", v.request(8, bytes(4)))
    v.send(message(0x105, packed("II", p, 0)), f"event pong {p}")
    v.end("reset", cancelled(77, a, 0, 0, "home", target=0))


def declining():
    v = Vector("declining", "decline in the middle of a stream: the other touch goes on.")
    v.send(*welcome())
    a = v.attach("home")
    v.send(*attached(a, 40, a))
    v.send(*touches(touch(7, "began", 40, a, 0, 0, path="home", target=0),
                    touch(8, "began", 40, a, 5, 5, path="home/a"),
                    touch(9, "began", 40, a, 7, 7, path="home/b")))
    v.send(*touches(touch(7, "moved", 40, a, 1, 0, shown="home", target=0, previous=(0, 0)),
                    touch(8, "stationary", 40, a, 5, 5, shown="home/a"),
                    touch(9, "stationary", 40, a, 7, 7, shown="home/b"), sequence=2))
    for identity in (7, 9):
        v.request(5, packed("IQ", 40, identity))
        v.call(f"decline {a} {identity}", 0)  # has no answer, so no serial is shown
    # What the daemon sent before it read that. Touch 7 even ends here: it was declined too late.
    v.send(*touches(unseen(touch(7, "moved", 40, a, 2, 0, target=0)),
                    touch(8, "stationary", 40, a, 5, 5, shown="home/a"),
                    unseen(touch(9, "stationary", 40, a, 7, 7)), sequence=3))
    v.send(*touches(touch(9, "moved", 40, a, 8, 7), sequence=4, hide=True))
    v.send(*touches(touch(7, "ended", 40, a, 2, 0, target=0), sequence=5, hide=True))
    v.send(*touches(touch(8, "moved", 40, a, 6, 5, shown="home/a", previous=(5, 5)), sequence=6))
    v.request(5, packed("IQ", 40, 6))  # one that is not live here
    v.call(f"decline {a} 6", 0)
    v.end("reset", cancelled(8, a, 6, 5, "home/a", sequence=6))


def replaying():
    v = Vector("replaying", "A touch that somebody declined: all of it again, marked as replayed.")
    v.send(*welcome())
    a = v.attach("app:dashboard", flags=2)
    v.send(*attached(a, 3, a, screen=NONE, frame=(0, 0, 0, 0), transform=(0,) * 6, views=12))
    v.send(*touches(touch(9, "began", 3, a, 1, 1, path="home/list", flags=1, time=800)))
    v.send(*touches(touch(9, "moved", 3, a, 4, 1, shown="home/list", flags=5, time=950,
                          previous=(1, 1), samples=((850, 2, 1), (900, 3, 1))), sequence=1))
    v.send(*touches(touch(9, "moved", 3, a, 5, 1, shown="home/list", previous=(4, 1)), sequence=2))
    v.send(*touches(touch(9, "ended", 3, a, 5, 1, shown="home/list"), sequence=3))
    # One that had ended by then.
    v.send(*touches(touch(10, "began", 3, a, 1, 1, path="home/list", flags=1), sequence=4))
    v.send(*touches(touch(10, "ended", 3, a, 1, 1, shown="home/list", flags=1), sequence=4))
    v.end("reset")


def change(number, path, *values, words="", points=()):
    data, said = path.encode(), words.encode()
    values += (0,) * (6 - len(values))
    return (packed("4H6d", number, len(points) // 2, len(data), len(said), *values)
            + text(path) + text(words) + packed(f"{len(points)}d", *points))


def adding():
    v = Vector("adding", "change_views: views that come, go and change, and a batch that is refused.")
    v.send(*welcome())
    a = v.attach("home/list")
    v.send(*attached(a, 17, a))
    v.settle()

    def value(kind, *values, words="", points=()):
        return (packed("4H", kind, len(points) // 2, len(words), len(values))
                + packed(f"{len(values)}d", *values) + text(words)
                + packed(f"{len(points)}d", *points))

    def step(kind, path, *values, controller=""):
        return (packed("4H", kind, len(values), len(path), len(controller)) + text(path)
                + text(controller) + b"".join(values))

    def change(line, *steps):
        return v.call(f"change_views {a} {line}",
                      v.request(11, packed("III", 17, len(steps), 0) + b"".join(steps)))

    s = change("add:row-1:frame=0,0,480,40 add:row-2@pages:frame=0,40,480,40.5:order=1:"
               "shape=3;;0,0,44,0,22.5,40:hit=4;knob add:row-2/knob:frame=1,2,3,4",
               step(1, "row-1", value(4, 0, 0, 480, 40)),
               step(1, "row-2", value(4, 0, 40, 480, 40.5), value(7, 1),
                    value(10, 3, 0, points=(0, 0, 44, 0, 22.5, 40)), value(12, 4, words="knob"),
                    controller="pages"),
               step(1, "row-2/knob", value(4, 1, 2, 3, 4)))
    v.send(*done(s, generation=2))
    s = change("remove:row-1 change::bounds_origin=0,-12.5 change:row-2:hidden=1:inside=3;knob",
               step(2, "row-1"), step(3, "", value(5, 0, -12.5)),
               step(3, "row-2", value(1, 1), value(11, 3, words="knob")))
    v.send(*error(s, 3, 11, 'change_views: step 1, remove of "row-1": there is no view "home/list/row-1"'))
    v.end("reset")


def setting():
    v = Vector("setting", "set: every property, a batch, and one that is refused.")
    v.send(*welcome())
    properties = (("hidden=1", 1, (1,)), ("alpha=0.5", 2, (0.5,)), ("interaction=0", 3, (0,)),
                  ("frame=1,2,300,400", 4, (1, 2, 300, 400)),
                  ("bounds_origin=0,-120.25", 5, (0, -120.25)),
                  ("transform=0,1,-1,0,2.5,-3", 6, (0, 1, -1, 0, 2.5, -3)), ("order=2", 7, (2,)),
                  ("configured=", 8, ()))
    for shown, number, values in properties:
        s = v.call(f"set home/list:{shown}",
                   v.request(6, packed("I", 1) + change(number, "home/list", *values)))
        v.send(*done(s, generation=number + 1))
    for shown, number, values, words, points in (
            ("outset=1,2,-3,4.5", 9, (1, 2, -3, 4.5), "", ()), ("shape=0", 10, (0,), "", ()),
            ("shape=1", 10, (1,), "", ()), ("shape=2,12.5", 10, (2, 12.5), "", ()),
            ("shape=3;;0,0,44,0,22.5,40", 10, (3,), "", (0, 0, 44, 0, 22.5, 40)),
            ("inside=0", 11, (0,), "", ()), ("inside=1", 11, (1,), "", ()),
            ("inside=2", 11, (2,), "", ()), ("inside=3", 11, (3,), "", ()),
            ("inside=3;back,more", 11, (3,), "back,more", ()), ("hit=0", 12, (0,), "", ()),
            ("hit=1", 12, (1,), "", ()), ("hit=2", 12, (2,), "", ()), ("hit=3", 12, (3,), "", ()),
            ("hit=4;row/knob", 12, (4,), "row/knob", ()), ("hit=5;row", 12, (5,), "row", ()),
            ("secure=1", 13, (1,), "", ()), ("exclusive_touch=1", 14, (1,), "", ()),
            ("multiple_touch=0", 15, (0,), "", ()), ("level=-3", 16, (-3,), "", ())):
        s = v.call(f"set home:{shown}",
                   v.request(6, packed("I", 1)
                             + change(number, "home", *values, words=words, points=points)))
        v.send(*done(s, generation=9))
    s = v.call("set home/list#scroll:enabled=0",
               v.request(6, packed("I", 1) + change(17, "home/list#scroll", 0)))
    v.send(*done(s, generation=9))
    s = v.call("set drawer:frame=0,0,320,480 drawer:hidden=0 home/list:alpha=1",
               v.request(6, packed("I", 3) + change(4, "drawer", 0, 0, 320, 480)
                         + change(1, "drawer", 0) + change(2, "home/list", 1)))
    v.send(*error(s, 5, 6, '"drawer" is in nothing that this client holds'))
    s = v.call("set home/gone:hidden=1",
               v.request(6, packed("I", 1) + change(1, "home/gone", 1)))
    v.send(*error(s, 3, 6, 'the layout has no view "home/gone"'))
    v.end("reset")


def injecting():
    v = Vector("injecting", "inject and cancel on the control socket, and how they are refused.")
    v.send(*welcome(control=1))
    def place(*values):
        return packed("iIdd", *values)

    s = v.call("inject 0 0:began=10,20.5 7:began=400,1",
               v.request(19, packed("III", 0, 2, 0) + place(0, 1, 10, 20.5)
                         + place(7, 1, 400, 1)))
    v.send(*done(s))
    s = v.call("inject 0 7:moved=401,2 0:ended=",
               v.request(19, packed("III", 0, 2, 0) + place(7, 2, 401, 2)
                         + place(0, 4, 0, 0)))
    v.send(*done(s))
    s = v.call("inject 1 -3:cancelled=",
               v.request(19, packed("III", 1, 1, 0) + place(-3, 5, 0, 0)))
    v.send(*error(s, 9, 19, "finger -3 is not down"))
    s = v.call("cancel 77", v.request(20, packed("IQ", 0, 77)))
    v.send(*done(s, total=1))
    s = v.call("cancel 0", v.request(20, packed("IQ", 0, 0)))
    v.send(*done(s, total=9))
    s = v.call("ungrab 3", v.request(25, packed("I", 3)))
    v.send(*done(s, total=1))
    v.end("reset")


def describing():
    v = Vector("describing", "The views of a responder.")
    v.send(*welcome())
    d = v.call('describe "home" first=0 count=2',
               v.request(7, packed("III", 0, 2, 4) + text("home")))
    v.send(*view(d, 0, NONE, "home", (0, 0, 800, 480), holder=41))
    v.send(*view_details(d, 0, screen=1, flags=2, application="dashboard"))
    v.send(*view_property(d, 0, 16, (-4.0,), setter=2))
    v.send(*view(d, 1, 0, "home/toolbar", (0, 0, 800, 60), controller="bar", flags=21,
                 controller_holder=42,
                 origin=(0, -4), transform=(0, 1, -1, 0, 2.5, 0), alpha=0.5))
    v.send(*view_details(d, 1, flags=5, pid=812, extra=bytes(8)))
    v.send(*view_property(d, 1, 1, (1.0,), setter=1, pid=812))
    v.send(*view_property(d, 1, 9, (1.0, 2.0, -3.0, 4.5), setter=3))
    v.send(*view_property(d, 1, 10, (3.0, 0.0), points=((0, 0), (10, 0.5), (0, 10)),
                          extra=bytes(16)))
    v.send(*view_property(d, 1, 11, (3.0,), words="back,forth"))
    v.send(*view_property(d, 1, 12, (5.0,), words="back/icon"))
    # Of a newer daemon: a property with more numbers than any has today.
    v.send(view_property(d, 1, 99, (0.5,) * 9)[0])
    v.send(*done(d, total=9, generation=4))
    d = v.call('describe "" first=2 count=0', v.request(7, packed("III", 2, 0, 0)))
    v.send(*done(d, total=0))
    d = v.call('describe "home" first=9 count=0',
               v.request(7, packed("III", 9, 0, 4) + text("home")))
    v.send(*described_gesture(d, 40, 9, "home#pages", 3, fingers=(1, 10), direction=5,
                              lengths=(10.0, -1, -1, -1), simultaneous="home#zoom,home#turn"))
    v.send(*described_gesture(d, 41, 10, "home/list#twice", 1, view=4, pid=812, taps=2, flags=3,
                              times=(750, 350, 150), lengths=(10.0, 45.5, -1, -1), to="home",
                              after="home#pages", extra=bytes(8)))
    v.send(*described_gesture(d, 1, 11, "screen:panel#back", 7, view=NONE, screen=0, edge=1,
                              flags=48, lengths=(10.0, -1, 20.0, -1)))
    v.send(*done(d, total=9, generation=4))
    v.end("reset")


def status():
    v = Vector("status",
               "The control socket's status, with more counters than are known; and a reload.")
    v.send(*welcome(control=1))
    s = v.call("status", v.request(16, bytes(4)))
    counters = [3 ** n for n in range(32)]
    latencies = [2 ** n for n in range(24)]
    version, configuration = "1.0.0", "/etc/touchroute/touchroute.toml"
    body = packed("IiQ8I", s, 812, 999, 3, 2, 41, 5, len(version), len(configuration), 32, 24)
    body += packed("56Q", *counters, *latencies) + text(version) + text(configuration)
    v.send(message(0x120, body, MORE),
           f"event status {s} daemon pid=812 started=999 generation=3 windows=2 views=41 live=5 "
           f'version="{version}" configuration="{configuration}" counters={counters} '
           f"latencies={latencies}")
    body = packed("IIiIIIIIQQQII", s, 1, 900, 1000, 1001, 5, 640, 128, 70000, 12, 3, 2,
                       3) + text("nav")
    v.send(message(0x121, body, MORE),
           f'event status {s} client 1 name="nav" pid=900 uid=1000 gid=1001 flags=5 queued=640 '
           "unread=128 messages=70000 coalesced=12 dropped=3 live=2")
    body = packed("IIIHHII", s, 1, 17, 15, 2, 2, 8) + text("home/nav")
    v.send(message(0x122, body, MORE),
           f'event status {s} attachment 17 client=1 path="home/nav" handles=15 passes=2 live=2')
    body = packed("IIIHHII", s, 1, 18, 9, 0, 0, 5) + text("media")
    v.send(message(0x124, body, MORE),
           f'event status {s} waiting 18 client=1 path="media" handles=9 passes=0 live=0')
    name, node, phys = "Goodix Capacitive TouchScreen ", "/dev/input/event3", ""
    body = packed("4I4H6I", s, 2, 0, 1, 0x18, 0x416, 0x38F, 0x1060, 10, 1, len(name),
                       len(node), 0, 0)
    v.send(message(0x123, body + text(name) + text(node), MORE),
           f'event status {s} device 2 name="{name}" node="{node}" phys="" '
           "id=24:1046:911:4192 screen=0 flags=1 touches=10 live=1")
    body = packed("4I4H6I", s, 3, NONE, 2, 3, 1, 2, 3, 0, 0, 3, 3, 3, 0)
    v.send(message(0x123, body + text("eGT") + text("/x0") + text("usb"), MORE),
           f'event status {s} device 3 name="eGT" node="/x0" phys="usb" id=3:1:2:3 screen=none '
           "flags=2 touches=none live=0")
    body = packed("IIB3xIQQ", s, 3, 8, 0, 12, 0)
    v.send(message(0x128, body, MORE),
           f'event status {s} signal 3 finding=8 count=12 since=none text=""')
    body = packed("IIBBHIQQ", s, 3, 32, 0, 0, 6, 1, 500) + text("is ill")
    v.send(message(0x128, body, MORE),
           f'event status {s} signal 3 finding=32 count=1 since=500 text="is ill"')
    body = packed("IIHHiII", s, 1, 2, 0, 812, 5, 9) + text("panel") + text("backlight")
    v.send(message(0x125, body, MORE),
           f'event status {s} screen 1 name="panel" power=2 pid=812 blanker="backlight"')
    body = packed("IIIiII", s, 1, 1500, 0, 5, 0) + text("panel")
    v.send(message(0x127, body, MORE),
           f'event status {s} lock 1 name="panel" remaining=1500 pid=0')
    body = packed("IIIHHII", s, 1, 7, 15, 0, 0, 4) + text("home")
    v.send(message(0x126, body, MORE),
           f'event status {s} inhibitor 7 client=1 path="home" handles=15 passes=0 live=0')
    v.send(*done(s, total=11, generation=3))
    r = v.call("reload", v.request(18, bytes(4)))
    v.send(*done(r, generation=4, words="1 window, 3 views and 0 devices changed"))
    v.end("reset")


def ignoring():
    v = Vector("ignoring", "A touchscreen that the configuration leaves alone.")
    v.send(*welcome(control=1))
    s = v.call("status", v.request(16, bytes(4)))
    body = packed("4I4H6I", s, 4, 0, 4, 3, 0xEEF, 1, 1, 2, 0, 7, 3, 0, 0)
    v.send(message(0x123, body + text("eGTouch") + text("/x1"), MORE),
           f'event status {s} device 4 name="eGTouch" node="/x1" phys="" id=3:3823:1:1 screen=0 '
           "flags=4 touches=2 live=0")
    v.send(*done(s, total=1, generation=3))
    v.end("reset")


def observing():
    v = Vector("observing",
               "Frames as they were routed, with chains, a secure view and a chain cut short.")
    v.send(*welcome(control=1))
    o = v.call("observe 1", v.request(17, packed("I", 1)))
    v.send(*done(o))
    nan = float("nan")
    chain = (link(812, 2, 0, 4, "home/nav@bar"), link(0, 0, 0, NONE, "home/nav"),
             link(901, 1, 15, 6, "home"))
    v.send(*observed(seen(1, "began", (4, 5), "home/nav", chain, 3),
                     seen(2, "began", (900, 5), "", discard=2)))
    v.send(*observed(seen(1, "moved", (5, 5), "home/nav"), sequence=2, more=True))
    v.send(*observed(seen(3, "began", (nan, nan), "pin", (link(0, 0, 0, NONE, "pin"),), 80,
                          flags=8),
                     sequence=2))
    v.send(*observed(seen(1, "cancelled", (5, 5), "home/nav", reason=4), device=2, sequence=3))
    v.send(*observed_gesture(7, "home#pages", 3, 7))
    v.send(*observed_gesture(7, "home#pages", 3, 2))
    v.send(*observed_gesture(8, "home/list#scroll", 3, 6, words="home#pages recognized"))
    v.send(*observed_gesture(7, "home#pages", 3, 5, touch=0, pid=0, reason=3, time=1016))
    v.send(*observed_gesture(7, "home#pages", 3, 7, touch=0, time=1024))
    v.send(*observed_gesture(9, "nav#back", 7, 8, touch=3, pid=0,
                             words="no program that holds nav handles gestures"))
    v.send(observed_gesture(7, "home#pages", 3, 77)[0])
    v.send(*observed_signal(2, 6, 0, (12.5, 480.25)))
    v.send(*observed_signal(2, 9, 5, None))
    v.send(*observed_signal(2, 37, 0, None, screen=NONE, over=1, words="is well"))
    o = v.call("observe 0", v.request(17, packed("I", 0)))
    v.send(*done(o))
    o = v.call("observe 4", v.request(17, packed("I", 4)))
    v.send(*done(o))
    v.send(*observed_signal(2, 32, 0, None, screen=NONE, words="has reported nothing"))
    o = v.call("observe 2", v.request(17, packed("I", 2)))
    v.send(*observed_change(1, 41))
    v.send(*observed_change(2, 0, 3, 7, 812, 15, 2, 1, "home/nav", "nav"))
    v.send(*done(o))
    v.send(*observed_change(8, 5, 3, 7, 812, time=1008))
    v.send(*observed_change(9, 12, time=1016))
    v.send(observed_change(77)[0])
    v.end("reset")


def growth():
    v = Vector("growth",
               "A newer daemon: events that are not known, and messages with more at their end.")
    v.send(*welcome(extra=b"a later field..."))
    a = v.attach("home")
    v.send(message(0x7777, bytes(800))).send(message(0x17F, b""))
    v.send(*attached(a, 1, a, extra=bytes(64)))
    v.send(message(0x110, touches(touch(1, "began", 1, a, 0, 0, path="home"))[0][8:],
                   extra=bytes(range(1, 41))),
           touches(touch(1, "began", 1, a, 0, 0, path="home"))[1])
    v.send(*touches(touch(1, "ended", 1, a, 0, 0, shown="home"), sequence=2))
    v.end("reset")


def stopping():
    v = Vector("stopping", "The daemon stops; then it dies with touches of two devices live.")
    v.send(*welcome())
    a = v.attach("home")
    v.send(*attached(a, 1, a))
    v.send(*touches(touch(1, "began", 1, a, 1, 1, path="home", target=0)))
    v.send(*touches(touch(2, "began", 1, a, 2, 2, path="home/a"), device=2, sequence=2))
    v.send(*closing(1, "touchrouted is stopping"))
    v.end("reset", cancelled(1, a, 1, 1, "home", target=0, sequence=2),
          cancelled(2, a, 2, 2, "home/a", device=2, sequence=2))


def refused():
    v = Vector("refused_version", "No common version.")
    v.send(*error(1, 2, 1, "this daemon speaks versions 4 to 6"))
    v.send(*closing(2, "no common version"))
    v.end("version")
    v = Vector("refused_breach", "The daemon says that the client breaks the protocol.")
    v.send(*welcome())
    v.send(*error(0, 1, 2, "attach: 31 bytes, which is no multiple of 8"))
    v.send(*closing(2, "breach of protocol"))
    v.end("malformed")
    v = Vector("refused_limit", "Too many clients: closing is all that comes.")
    v.send(*closing(4, "more than 64 clients"))
    v.end("reset")


def malformed():
    def vector(name, what, data, *events, greeted=True, holds=False):
        v = Vector("malformed_" + name, what)
        a = 0
        if greeted:
            v.send(*welcome())
        if holds:
            a = v.attach("home")
            v.send(*attached(a, 1, a))
            v.send(*touches(touch(1, "began", 1, a, 0, 0, path="home")))
        v.send(data, *events)
        v.end("malformed", *([cancelled(1, a, 0, 0, "home")] if holds else []))

    record = touches(touch(1, "moved", 1, 2, 0, 0))[0]
    sampled = touches(touch(1, "moved", 1, 2, 0, 0, samples=((1, 1, 1),)))[0]

    def patched(data, offset, layout, value):
        part = packed(layout, value)
        return data[:offset] + part + data[offset + len(part):]

    vector("huge", "A size of 4 GiB.", packed("IHH", 0xFFFFFFF8, 0x110, 0))
    vector("over", "A size just over the limit.", packed("IHH", 65544, 0x105, 0))
    vector("zero", "A size of 0.", bytes(8))
    vector("odd", "A size that is no multiple of 8.", packed("IHH", 12, 0x105, 0) + bytes(4))
    vector("short_pong", "A message shorter than its struct.", message(0x105, b""))
    vector("short_touches", "Touches without its struct.", message(0x110, bytes(16)))
    vector("early", "An event before welcome.", message(0x105, bytes(8)), greeted=False)
    vector("version", "A welcome of a version that was not offered.", welcome(version=2)[0],
           greeted=False)
    vector("screens", "More screens than the message holds.",
           patched(welcome()[0], 36, "I", 0x10000000), greeted=False)
    vector("screen_name", "A screen's name that runs over the end.",
           patched(welcome()[0], 60, "I", 9), greeted=False)
    vector("count", "More touches than the message holds.", patched(record, 28, "H", 2),
           holds=True)
    vector("samples", "Samples that do not add up.", patched(record, 30, "H", 1), holds=True)
    vector("sample_count", "More samples than the message holds.",
           patched(patched(sampled, 30, "H", 2), 32 + 28, "H", 2), holds=True)
    vector("path", "A path that runs over the end.", patched(record, 32 + 30, "H", 8), holds=True)
    vector("path_wrap", "A path of 64 KiB less one.", patched(record, 32 + 30, "H", 0xFFFF),
           holds=True)
    vector("path_long", "A path over its limit.",
           touches(touch(2, "began", 1, 2, 0, 0, path="p" * 3073))[0], holds=True)
    vector("phase_zero", "No phase.", patched(record, 32 + 20, "B", 0), holds=True)
    vector("phase_six", "A phase that there is not.", patched(record, 32 + 20, "B", 6),
           holds=True)
    vector("zero_byte", "A string with a zero byte in it.",
           message(0x113, packed("II", 1, 8) + b"a\0bcdefg"))
    vector("text_wrap", "A text of 4 GiB less one.",
           message(0x103, packed("4I", 0, 6, 0, 0xFFFFFFFF) + bytes(8)))
    vector("holder_path", "A path of 4 GiB less one.",
           patched(holder(2, 2, "home/a", "keys")[0], 28, "I", 0xFFFFFFFF), holds=True)
    vector("holder_name", "A holder's name that runs over the end.",
           patched(holder(2, 2, "home/a", "keys")[0], 32, "I", 9), holds=True)
    vector("counters", "More counters than the message holds.",
           message(0x120,
                   packed("IiQ8I", 1, 1, 1, 1, 1, 1, 1, 0, 0, 0x20000001, 0) + bytes(8)))
    vector("latencies", "More latencies than the message holds.",
           message(0x120,
                   packed("IiQ8I", 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0x20000001) + bytes(8)))
    vector("chain", "A chain that runs over the end.",
           patched(observed(seen(1, "began", (0, 0), ""))[0], 32 + 24, "I", 0x10000000))
    vector("observed_phase", "An observed touch of no phase.",
           patched(observed(seen(1, "began", (0, 0), ""))[0], 32 + 8, "B", 0))

    v = Vector("half", "Half a message, then the end.")
    v.send(*welcome())
    v.send(packed("IHH", 4000, 0x110, 0) + bytes(100))
    v.end("reset")


def main(folder=None):
    Vector.folder = folder or Vector.folder
    for vector in (handshake, one_touch, frames, history, phases, layouts, holders, screens, in_line, gestures, detaching,
                   errors, deciding, declining, replaying, adding, setting, injecting, describing, status,
                   ignoring, observing, growth, stopping, refused, malformed):
        vector()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--big-endian"]:
        set_byte_order(">")
        main(Path(sys.argv[2]))
    else:
        main()
