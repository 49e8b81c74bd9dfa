"""Copies of the dbt project that a test may change, without most of the staging views.

The view of each format is two thirds of a small build and a third of its models to parse. They repeat what events
parses. tests/project/test_consumer.py builds all of them.
"""

import shutil

from conftest import HOME

STAGING = ("canal", "huawei_drs_json", "maxwell")


def copy_project(folder, staging=STAGING):
    """Copy the project into a folder. Return the folder.

    staging: the formats that it has, with their staging views. None: all of them.
    """
    for name in ("macros", "models", "seeds", "profiles"):
        shutil.copytree(HOME / name, folder / name)
    for name in ("dbt_project.yml", ".sqlfluff"):
        shutil.copy(HOME / name, folder)
    (folder / "profiles.yml").symlink_to("profiles/profiles.yml")
    if staging is None:
        return folder
    for file in (folder / "models" / "staging").iterdir():
        if not file.name.startswith(tuple(f"stg_{slug}__events." for slug in staging)):
            file.unlink()
    return folder
