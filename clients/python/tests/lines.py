"""Events as the vectors write them."""

from __future__ import annotations

import touchroute as t
from touchroute import hit_testing


def _time(microseconds: int) -> str:
    return str(microseconds) if microseconds < 1_000_000 else "now"


def _floats(values: tuple[float, ...]) -> str:
    return "[" + ", ".join(repr(float(value)) for value in values) + "]"


def _number(value: int | None) -> str:
    return "none" if value is None else str(value)


def _reason(value: int) -> str:
    return '"' + t.CancelReason(value).name.lower().replace("_", " ") + '"'


def _touch(touch: t.Touch) -> str:
    lines = [
        f'  {touch.phase.name.lower()} {touch.id} attachment={touch.attachment} '
        f'target={touch.target} path="{touch.path}" time={_time(touch.time_us)} '
        f"reason={_reason(touch.cancel_reason)} flags={int(touch.flags)} taps={touch.tap_count} "
        f"screen={touch.screen} at={_floats((touch.x, touch.y))} "
        f"previous={_floats((touch.previous_x, touch.previous_y))} "
        f"window={_floats((touch.window_x, touch.window_y))} "
        f"panel={_floats((touch.screen_x, touch.screen_y))}"
    ]
    lines += [
        f"    sample time={_time(sample.time_us)} at={_floats((sample.x, sample.y))}"
        for sample in touch.samples
    ]
    return "\n".join(lines)


def _observed(touch: t.ObservedTouch) -> str:
    place = "none" if touch.place is None else _floats(touch.place)
    lines = [
        f"  {touch.phase.name.lower()} {touch.id} reason={_reason(touch.cancel_reason)} "
        f"discarded={int(touch.discard_reason)} flags={int(touch.flags)} taps={touch.tap_count} "
        f'screen={touch.screen} panel={place} path="{touch.path}" total={touch.chain_total}'
    ]
    lines += [
        f'    asked "{link.path}" pid={link.pid or 0} outcome={int(link.outcome)} '
        f"phases={int(link.phases)} attachment={_number(link.attachment)}"
        for link in touch.chain
    ]
    return "\n".join(lines)


def _geometry(name: str, geometry: t.Geometry) -> str:
    return (
        f"{name} {geometry.attachment} generation={geometry.generation} "
        f"screen={_number(geometry.screen)} views={geometry.view_count} "
        f"added={geometry.added_count} frame={_floats(geometry.frame)} bounds={_floats(geometry.bounds)} "
        f"transform={_floats(geometry.transform)}"
    )


def _property(event: t.ViewProperty) -> str:
    """The value as it goes over the wire, of what Change takes."""
    match event.property:
        case t.Property.SHAPE:
            values, words, points = hit_testing.shape(event.value, "shape")
        case t.Property.INSIDE:
            values, words, points = hit_testing.inside(event.value, "inside")
        case t.Property.HIT:
            values, words, points = hit_testing.hit(event.value, "hit")
        case _:
            value = event.value
            values, words, points = value if isinstance(value, tuple) else (value,), b"", ()
    return f'values={_floats(values)} words="{words.decode()}" points={_floats(points)}'


def _status(event: t.Status) -> str:
    match event:
        case t.DaemonStatus():
            return (
                f"daemon pid={event.pid} started={_time(event.started_us)} "
                f"generation={event.generation} windows={event.window_count} "
                f"views={event.view_count} live={event.live_touches} "
                f'version="{event.version}" configuration="{event.configuration}" '
                f"counters={list(event.counters)} latencies={list(event.latencies)}"
            )
        case t.ClientStatus():
            return (
                f'client {event.client} name="{event.name}" pid={event.pid} uid={event.uid} '
                f"gid={event.gid} flags={int(event.flags)} queued={event.queued} "
                f"unread={event.unread} messages={event.messages} coalesced={event.coalesced} "
                f"dropped={event.dropped} live={event.live_touches}"
            )
        case t.AttachmentStatus():
            return (
                f"{'waiting' if event.is_waiting else 'attachment'} {event.attachment} "
                f'client={event.client} path="{event.path}" '
                f"handles={int(event.handles)} passes={int(event.passes)} live={event.live_touches}"
            )
        case t.DeviceStatus():
            return (
                f'device {event.device} name="{event.name}" node="{event.node}" '
                f'phys="{event.phys}" '
                f"id={event.bus}:{event.vendor}:{event.product}:{event.version} "
                f"screen={_number(event.screen)} flags={int(event.flags)} "
                f"touches={_number(event.touch_count)} live={event.live_touches}"
            )
        case t.ScreenStatus():
            return (
                f'screen {event.screen} name="{event.name}" power={int(event.state)} '
                f'pid={event.pid or 0} blanker="{event.blanker}"'
            )
        case t.LockStatus():
            return (
                f'lock {event.screen} name="{event.name}" remaining={event.remaining_ms} '
                f"pid={event.pid or 0}"
            )
        case t.InhibitorStatus():
            return (
                f'inhibitor {event.attachment} client={event.client} path="{event.path}" '
                f"handles={int(event.handles)} passes={int(event.passes)} live={event.live_touches}"
            )
        case t.SignalStatus():
            return (
                f"signal {event.device} finding={int(event.finding)} count={event.count} "
                f'since={_number(event.since_us)} text="{event.text}"'
            )


def lines(event: t.Event) -> str:
    """The event as the vectors write it."""
    match event:
        case t.Gesture():
            values = (
                event.x, event.y, *event.translation, *event.velocity, event.scale,
                event.scale_velocity, event.rotation, event.rotation_velocity,
            )  # fmt: skip
            return (
                f"gesture {event.attachment} recognizer={event.recognizer} "
                f'path="{event.path}" kind={int(event.kind)} state={int(event.state)} '
                f"reason={_reason(event.cancel_reason)} time={_time(event.time_us)} "
                f"touches={event.touches} taps={event.taps} direction={int(event.direction)} "
                f"values={_floats(values)}"
            )
        case t.Touches():
            head = (
                f"touches time={_time(event.time_us)} sequence={event.sequence} "
                f"device={event.device} more={int(event.more)}"
            )
            return "\n".join([head, *map(_touch, event.touches)])
        case t.Attached():
            return _geometry("attached", event.geometry)
        case t.Layout():
            return _geometry("layout", event.geometry)
        case t.Detached():
            return f'detached {event.attachment} reason={int(event.reason)} text="{event.text}"'
        case t.Waiting():
            return f'waiting {event.attachment} reason={int(event.reason)} text="{event.text}"'
        case t.Holder():
            return (
                f'holder {event.attachment} path="{event.path}" held={int(event.is_held)} '
                f'pid={event.pid} uid={event.uid} name="{event.name}" '
                f"handles={int(event.handles)} passes={int(event.passes)}"
            )
        case t.ScreenNotice():
            return (
                f'screen {event.screen} name="{event.name}" power={int(event.state)} '
                f"cause={int(event.cause)}"
            )
        case t.LockNotice():
            return (
                f'lock {event.screen} name="{event.name}" remaining={event.remaining_ms} '
                f"cause={int(event.cause)}"
            )
        case t.Feedback():
            target = event.target or ""
            return (
                f"feedback {event.screen} time={event.time_us} cause={int(event.cause)} "
                f'name="{event.name}" target="{target}"'
            )
        case t.Idle():
            return f"idle {event.watch} is_idle={int(event.is_idle)}"
        case t.Welcome():
            head = (
                f"welcome version={event.version} attachments={event.max_attachments} "
                f"decision={event.decision_timeout_ms} "
                f"unresponsive={event.unresponsive_after_ms} control={int(event.is_control)}"
            )
            screens = [
                f'  screen "{screen.name}" size={_floats(screen.size)} rotation={screen.rotation}'
                for screen in event.screens
            ]
            return "\n".join([head, *screens])
        case t.Error():
            return f'error {event.serial} code={int(event.code)} text="{event.text}"'
        case t.Closing():
            return f'closing reason={int(event.reason)} text="{event.text}"'
        case t.Lost():
            return "lost"
        case t.View():
            return (
                f"view {event.serial} index={event.index} parent={_number(event.parent)} "
                f'path="{event.path}" controller="{event.controller}" flags={int(event.flags)} '
                f"holder={event.holder or 0} controller_holder={event.controller_holder or 0} "
                f"frame={_floats(event.frame)} origin={_floats(event.bounds_origin)} "
                f"transform={_floats(event.transform)} alpha={event.alpha!r}"
            )
        case t.ViewDetails():
            return (
                f"view_details {event.serial} view={event.view} screen={_number(event.screen)} "
                f"flags={int(event.flags)} pid={event.pid or 0} "
                f'application="{event.application}"'
            )
        case t.ViewProperty():
            return (
                f"view_property {event.serial} view={event.view} "
                f"property={int(event.property)} setter={int(event.setter)} "
                f"pid={event.pid or 0} {_property(event)}"
            )
        case t.DescribedGesture():
            def dash(value: object) -> str:
                return "-" if value is None else f"{value}"

            times = (event.duration_ms, event.interval_ms, event.gather_ms)
            lengths = (event.slop, event.distance, event.margin, event.slop_degrees)
            return (
                f"described_gesture {event.serial} number={event.number} index={event.index} "
                f"view={dash(event.view)} screen={dash(event.screen)} pid={event.pid or 0} "
                f'path="{event.path}" kind={int(event.kind)} '
                f"fingers={event.touches[0]}-{event.touches[1]} taps={event.taps} "
                f"direction={int(event.direction)} edge={int(event.edge)} "
                f"flags={int(event.flags)} times={','.join(map(dash, times))} "
                f"lengths={','.join(map(dash, lengths))} to=\"{event.to or ''}\" "
                f"after=\"{','.join(event.after)}\" "
                f"simultaneous=\"{','.join(event.simultaneous)}\""
            )
        case t.Pong():
            return f"pong {event.serial}"
        case t.Done():
            return (
                f"done {event.serial} total={event.total} generation={event.generation} "
                f'text="{event.text}"'
            )
        case t.Observed():
            head = (
                f"observed time={_time(event.time_us)} sequence={event.sequence} "
                f"device={event.device} more={int(event.more)}"
            )
            return "\n".join([head, *map(_observed, event.touches)])
        case t.ObservedGesture():
            return (
                f'observed_gesture {event.recognizer} path="{event.path}" kind={int(event.kind)} '
                f"state={int(event.state)} "
                f"reason={_reason(event.cancel_reason)} time={_time(event.time_us)} "
                f'touch={event.touch or 0} pid={event.pid or 0} text="{event.text}"'
            )
        case t.ObservedSignal():
            place = "secure" if event.place is None else "{:g},{:g}".format(*event.place)
            return (
                f"observed_signal {event.device} finding={int(event.finding)} "
                f"touch={event.touch or 0} time={_time(event.time_us)} "
                f"screen={_number(event.screen)} place={place} over={int(event.is_over)} "
                f'text="{event.text}"'
            )
        case t.ObservedChange():
            return (
                f"observed_change {int(event.kind)} time={_time(event.time_us)} "
                f"value={event.value} "
                f"client={'-' if event.client is None else event.client} "
                f"attachment={'-' if event.attachment is None else event.attachment} "
                f"pid={event.pid or 0} handles={int(event.handles)} passes={int(event.passes)} "
                f'gestures={int(event.gestures)} path="{event.path}" name="{event.name}"'
            )
        case _:
            return f"status {event.serial} {_status(event)}"
