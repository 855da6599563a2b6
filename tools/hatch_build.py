"""The README for a package page, where a path of the checkout leads nowhere."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


class CustomMetadataHook(MetadataHookInterface):
    """Gives the project its `readme`: pictures are their alt texts, links into it are words."""

    def update(self, metadata):
        """Set what pyproject.toml calls dynamic; the lines below a picture, its caption, stay."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        place = r"\((?!\w+:)[^)]*\)"  # no address of the web
        text = re.sub(rf"!\[([^]]*)\]{place}", r"*Picture: \1*", text)
        text = re.sub(rf"\[([^]]*)\]{place}", r"\1", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
