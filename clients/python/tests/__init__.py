"""The tests of the Python package, with the C library of this checkout."""

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[3]

if "TOUCHROUTE_LIBRARY" not in os.environ:
    built = subprocess.run(
        [ROOT / "scripts/libtouchroute"], check=True, text=True, stdout=subprocess.PIPE
    )
    os.environ["TOUCHROUTE_LIBRARY"] = built.stdout.strip()
