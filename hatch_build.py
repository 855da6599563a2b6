"""The README for a package page, where a path of the checkout leads nowhere."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

PLACE = r"\((?!\w+:)[^)]*\)"  # no address of the web


def readable(text):
    """Markdown whose pictures are their alt texts, and whose links into the checkout are words.

    Lines that follow a picture, its caption, stay.
    """
    text = re.sub(rf"!\[([^]]*)\]{PLACE}", r"*Picture: \1*", text)
    return re.sub(rf"\[([^]]*)\]{PLACE}", r"\1", text)


class CustomMetadataHook(MetadataHookInterface):
    """Gives the project its `readme`."""

    def update(self, metadata):
        """Set what pyproject.toml calls dynamic."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": readable(text)}
