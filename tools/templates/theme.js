// Before the page is drawn: the theme that was chosen, and how formulas are written.
(() => {
  try {
    const chosen = localStorage.getItem("theme");
    if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  } catch { /* a browser that keeps nothing for files still has the button */ }
})();
window.MathJax = {
  tex: { inlineMath: [["$", "$"]], displayMath: [["$$", "$$"]], processEscapes: true },
  options: { enableMenu: false, ignoreHtmlClass: "output|rt-explorer|reference" },
};
