"""The course's laboratory: pictures, sliders, checks of answers, the papers' experiments."""

import logging

# A lesson's first picture would stand below a line in red, "building the font cache".
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
