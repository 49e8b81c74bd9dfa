"""Read tests/cases/<format>/format.yml, an optional file with facts about a format.

page           the entry of the format's page, as in docs/data/formats.yml
informational  the fields without which a message is still read, as in informational_fields.INFORMATIONAL
position       the fields of the position, as in informational_fields.POSITION
deciding, not_in_messages, not_in_changes
               some of these fields, as in the sets of informational_fields
copies_without_operation
               whether a row of the full copy may have no operation
sample         `topic` of the sample messages, whether they are `recognized` without a mapping, and
               `typed_table`: the entry of `tables` that their typed table needs
"""

from pathlib import Path

import yaml

FILES = {
    file.parent.name: yaml.safe_load(file.read_text(encoding="utf-8"))
    for file in sorted((Path(__file__).resolve().parents[1] / "cases").glob("*/format.yml"))
}


def entries(name):
    """Return an entry of all formats that have it, by slug."""
    return {slug: content[name] for slug, content in FILES.items() if name in content}


def pairs(name):
    """Return (slug, field) of an entry that lists fields."""
    return {(slug, field) for slug, fields in entries(name).items() for field in fields}


def recognized_samples():
    """Return the topic of each format whose samples are recognized, to its slug."""
    return {
        sample["topic"]: slug
        for slug, sample in entries("sample").items()
        if sample.get("recognized")
    }


def typed_tables():
    """Return the settings of the typed tables of samples."""
    return [
        sample["typed_table"] for sample in entries("sample").values() if "typed_table" in sample
    ]
