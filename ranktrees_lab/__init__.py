"""The course's laboratory: pictures, sliders, checks of answers, the papers' experiments."""
