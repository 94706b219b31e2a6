"""What is kept of the views that a program has added, to be added again (rule L7)."""

from __future__ import annotations

import random
import unittest

from touchroute.values import Property
from touchroute.views import ADD, CHANGE, REMOVE, Step, _Kept, is_in

SEEDS = range(300)

Layout = dict[bytes, tuple[bytes, dict[int, bytes]]]
"""views by path, back to front: what they were added with, and what is set of them"""


def replay(steps: list[Step]) -> Layout:
    """The views that steps come to, as the daemon makes them."""
    views: Layout = {b"": (b"", {})}
    for step in steps:
        if step.kind == ADD:
            assert step.path not in views and step.path.rpartition(b"/")[0] in views
            views[step.path] = (step.values[0][1], {})
        elif step.kind == REMOVE:
            views = {path: view for path, view in views.items() if not is_in(path, step.path)}
        for kind, value in step.values if step.kind == CHANGE else []:
            if kind == Property.CONFIGURED:
                views[step.path][1].clear()
            else:
                views[step.path][1][kind] = value
    return views


def batch(rng: random.Random, kept: _Kept) -> list[Step]:
    """Steps that are possible: first views come and go, then they change."""
    steps: list[Step] = []
    for _ in range(rng.randrange(8)):
        paths = list(replay(kept.steps + steps))
        path = rng.choice(paths)
        if rng.random() < 0.3 and path:
            steps.append(Step(REMOVE, path, b"", []))
            continue
        path = (path + b"/" if path else b"") + rng.choice([b"a", b"b", b"ab"])
        if path not in paths and len(path) < 10:
            steps.append(Step(ADD, path, b"", [(5, b"%d" % rng.randrange(99))]))
    paths = list(replay(kept.steps + steps))
    for _ in range(rng.randrange(6)):
        values = [
            (rng.choice([1, 2, 3, int(Property.CONFIGURED)]), b"%d" % rng.randrange(99))
            for _ in range(rng.randrange(1, 4))
        ]
        steps.append(Step(CHANGE, rng.choice(paths), b"", values))
    return steps


class KeptTests(unittest.TestCase):
    def test_dropping_void_steps_changes_nothing(self) -> None:
        for seed in SEEDS:
            rng = random.Random(seed)
            kept = _Kept()
            for _ in range(rng.randrange(1, 20)):
                kept.keep(batch(rng, kept))
                before = replay(kept.steps)
                kept.owe()
                after = replay(kept.steps)
                self.assertEqual(list(before.items()), list(after.items()), f"seed {seed}")
                self.assertFalse([step for step in kept.steps if step.kind == REMOVE])
                kept.next = kept.asked = len(kept.steps)

    def test_a_superview_comes_before_what_was_added_in_it(self) -> None:
        kept = _Kept()
        frame = [(5, b"frame...")]
        paths = [b"a/b/c", b"x", b"a/b", b"a", b"a/d"]
        added = [Step(ADD, path, b"", frame) for path in paths]
        kept.keep([*added, Step(CHANGE, b"a/b", b"", frame)])
        kept.owe()
        self.assertEqual(list(replay(kept.steps)), [b"", b"x", b"a", b"a/d", b"a/b", b"a/b/c"])

    def test_what_was_added_in_a_view_comes_with_that_where_a_reload_has_dropped_both(self) -> None:
        kept = _Kept()
        frame = [(5, b"frame...")]
        for path in (b"a", b"a/b", b"a"):
            kept.keep([Step(ADD, path, b"", frame)])
        kept.keep([Step(REMOVE, b"a/b", b"", []), Step(ADD, b"a/c", b"", frame)])
        kept.owe()
        self.assertEqual(list(replay(kept.steps)), [b"", b"a", b"a/c"])

    def test_one_that_is_refused_is_found_in_halves(self) -> None:
        kept = _Kept()
        kept.keep([Step(ADD, b"row%d" % n, b"", [(5, b"frame...")]) for n in range(100)])
        kept.owe()
        asked = 0
        told: list[str] = []
        while kept.is_owed:
            count = len(kept.page())
            kept.asked = kept.next + count
            asked += 1
            refused = any(step.path == b"row37" for step in kept.steps[kept.next : kept.asked])
            error = kept.answered(refused)
            if error is not None:
                told.append(error)
        self.assertEqual(told, [""])
        self.assertEqual([step.path for step in kept.steps].count(b"row37"), 0)
        self.assertEqual(len(kept.steps), 99)
        self.assertLess(asked, 25)

    def test_after_too_many_refusals_the_rest_is_not_tried(self) -> None:
        kept = _Kept()
        kept.keep([Step(ADD, b"row%d" % n, b"", [(5, b"frame...")]) for n in range(100)])
        kept.owe()
        told: list[str] = []
        while kept.is_owed:
            kept.asked = kept.next + len(kept.page())
            error = kept.answered(True)
            if error is not None:
                told.append(error)
        self.assertEqual(told, [""] * 31 + ["; 32 were refused, and 68 more are not tried"])
