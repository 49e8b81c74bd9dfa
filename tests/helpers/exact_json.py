"""JSON documents whose fractions and negative zeros keep their digits."""

import json
import re


def exact(text):
    """Return the document of a JSON text. Fractions and -0 are texts, which keep their digits."""
    return json.loads(
        text,
        parse_float="number {}".format,
        parse_int=lambda digits: "number -0" if digits == "-0" else int(digits),
        strict=False,
    )


def exact_text(document):
    """Return the JSON text of a document of exact()."""
    return re.sub(r'"number ([^"]*)"', r"\1", json.dumps(document))


def exact_or_none(text):
    """Return the document of a text, or none if it is no JSON object."""
    try:
        document = exact(text or "")
    except ValueError:
        return None
    return document if isinstance(document, dict) else None
