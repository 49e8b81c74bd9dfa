"""The generator of the documentation site: reference pages and format pages from the code.

`mkdocs.yml` loads `hook.py`, which asks each module of this package for its pages. The tests in
`tests/docs` import the same modules and fail when something public has no description.
"""

from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
"""The folder of the project."""
