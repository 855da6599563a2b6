"""The README for a package page, where a path of the checkout leads nowhere."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface


class CustomMetadataHook(MetadataHookInterface):
    """Hook for the project's `readme`: alt texts replace pictures, links to files become text."""

    def update(self, metadata):
        """Set what pyproject.toml declares as dynamic; the caption below a picture stays."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        place = r"\((?!\w+:)[^)]*\)"  # no address of the web
        text = re.sub(rf"!\[([^]]*)\]{place}", r"*Picture: \1*", text)
        text = re.sub(rf"\[([^]]*)\]{place}", r"\1", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
