// The button of the theme, the search, and the keyboard for what is wider than the page.
(() => {
  const root = document.documentElement;
  document.getElementById("theme").addEventListener("click", () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    root.dataset.theme = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* until the next page */ }
  });

  const MOST = 12, AROUND = 70;
  const box = document.getElementById("search");
  const found = document.getElementById("found");
  const count = document.getElementById("count");
  const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

  function score(entry, words) {
    const [head, text] = [plain(`${entry.page} ${entry.section}`), plain(entry.text)];
    if (!words.every((word) => head.includes(word) || text.includes(word))) return 0;
    const times = (word) => Math.min(text.split(word).length - 1, 9);
    return words.reduce((sum, word) => sum + (head.includes(word) ? 20 : 0) + times(word), 1);
  }

  function line(entry, word) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = entry.url;
    link.textContent = entry.section ? `${entry.page}: ${entry.section}` : entry.page;
    const around = document.createElement("p");
    const at = Math.max(plain(entry.text).indexOf(word), 0);
    around.textContent = entry.text.slice(Math.max(at - AROUND, 0), at + AROUND);
    item.append(link, around);
    return item;
  }

  function search() {
    const words = plain(box.value).split(/\s+/).filter((word) => word.length > 1);
    const scored = window.WORDS.map((entry) => [words.length ? score(entry, words) : 0, entry]);
    const hits = scored.filter(([points]) => points).sort((a, b) => b[0] - a[0]);
    found.replaceChildren(...hits.slice(0, MOST).map(([, entry]) => line(entry, words[0])));
    count.textContent = words.length ? `${hits.length} found` : "";
  }

  box.addEventListener("input", search);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !found.firstChild) return;
    box.value = "";
    search();
    box.focus();
  });

  const WIDE = ".output, .wide, .highlight pre, .rt-words, main pre, mjx-container[display]";
  function reach() {
    document.querySelectorAll(WIDE).forEach((part) => {
      if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
      else part.removeAttribute("tabindex");
    });
  }
  addEventListener("load", () => (window.MathJax?.startup?.promise ?? Promise.resolve()).then(reach));
  addEventListener("resize", reach);
})();
