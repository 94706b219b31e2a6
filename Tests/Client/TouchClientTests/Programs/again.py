"""Adds views in home/list, changes them, and says what can't be made again."""

import touchroute

connection = touchroute.Connection(name="again", reconnect=True)
held = connection.attach("home/list")
rows = [{"add": f"row{n}", "frame": (0, 40 * n, 400, 40)} for n in range(3)]
steps = [{"add": "header", "frame": (0, 400, 400, 20), "views": [{"add": "close", "frame": (0, 0, 9, 9)}]}]
connection.change_views(held, [*steps, {"add": "panel", "frame": (0, 0, 400, 400), "views": rows}])
connection.change_views(held, [{"change": "panel/row1", "hidden": True, "alpha": 0.5}])
connection.change_views(held, [{"change": "panel/row1", "hidden": False}, {"remove": "panel/row0"}])
for event in connection:
    if isinstance(event, touchroute.Error):
        print(event.serial, event.text, flush=True)
