// The button of the theme, the search, code to copy, and the keyboard for what is wide.
(() => {
  const root = document.documentElement;
  document.getElementById("theme").addEventListener("click", () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    root.dataset.theme = (root.dataset.theme ?? system) === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* until the next page */ }
  });

  const MOST = 12, OF_LESSONS = 8, AROUND = 70;
  const box = document.getElementById("search");
  const found = document.getElementById("found");
  const count = document.getElementById("count");
  const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  const times = (text, word) => text.split(word).length - 1;

  // What the search looks at, made when it is first needed: of each entry title, heading and all in
  // plain letters, and how often each word, and each pair of words, stands on all pages.
  let known = null;
  function read() {
    known = { pairs: new Map(), entries: [] };
    for (const entry of window.WORDS) {
      const title = plain(entry.page).replace(/^\d+ · /, ""), head = plain(entry.section || entry.page);
      const text = `${title} ${head} ${plain(entry.text)}`;
      known.entries.push({ ...entry, title, head, plain: text, rank: rank(entry.url) });
      const words = text.match(/\p{L}[\p{L}-]+/gu) ?? [];
      words.flatMap((word, i) => [word, `${word} ${words[i + 1] ?? ""}`.trim()])
        .forEach((word) => known.pairs.set(word, (known.pairs.get(word) ?? 0) + 1));
    }
  }

  // Lessons come first, functions of the package last.
  const rank = (url) => (/^\d/.test(url) ? 2 : /^(rt|reference)\./.test(url) ? 0 : 1);

  // How many letters must be changed, left out, put in or swapped to make one word of the other.
  function slips(one, other) {
    let [before, last] = [[], [...Array(other.length + 1).keys()]];
    for (let i = 1; i <= one.length; i++) {
      const now = [i];
      for (let j = 1; j <= other.length; j++) {
        now[j] = Math.min(last[j] + 1, now[j - 1] + 1, last[j - 1] + (one[i - 1] !== other[j - 1]));
        const swapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
        if (i > 1 && j > 1 && swapped) now[j] = Math.min(now[j], before[j - 2] + 1);
      }
      [before, last] = [last, now];
    }
    return last[other.length];
  }

  // A word as it is where a page holds it; else the nearest word, or two words that were joined.
  function meant(word) {
    if (word.length < 4 || known.entries.some((entry) => entry.plain.includes(word))) return word;
    const most = word.length < 6 ? 1 : 2;
    const near = [...known.pairs].filter(([other]) => !other.includes(" ") || other[0] === word[0])
      .map(([other, often]) => [other.replace(/[ -]/g, ""), -often, other])
      .filter(([joined]) => Math.abs(joined.length - word.length) <= most)
      .map(([joined, often, other]) => [slips(word, joined), often, other])
      .filter(([far]) => far <= most).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return near.length ? near[0][2] : word;
  }

  // The entries that hold all words: what has this very name, then by rank; then pages named so,
  // headings, titles, and how often the words stand there and on the whole page.
  function hits(words) {
    const held = known.entries.filter((entry) => words.every((word) => entry.plain.includes(word)));
    const total = {}, sum = (text) => words.reduce((all, word) => all + Math.min(times(text, word), 9), 0);
    held.forEach((entry) => { total[entry.page] = (total[entry.page] ?? 0) + sum(entry.plain); });
    const points = (entry) => (words.includes(entry.head) ? 1e4 : 0) + 1e3 * entry.rank
      + (entry.title.startsWith(words.join(" ")) ? 500 : 0) + 100 * sum(entry.head)
      + 50 * sum(entry.title) + total[entry.page] + sum(entry.plain);
    return held.map((entry) => [points(entry), entry]).sort((a, b) => b[0] - a[0]).map(([, entry]) => entry);
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
    if (!known) read();
    const typed = plain(box.value).split(/\s+/).filter((word) => word.length > 1);
    const words = typed.map(meant), all = typed.length ? hits(words) : [];
    const lessons = all.filter((entry) => entry.rank === 2).slice(0, OF_LESSONS);
    const shown = all.filter((entry) => entry.rank < 2 || lessons.includes(entry)).slice(0, MOST);
    found.replaceChildren(...shown.map((entry) => line(entry, words[0])));
    const instead = words.join(" ") === typed.join(" ") ? "" : ` for ${words.join(" ")}`;
    count.textContent = words.length ? `${all.length} found${instead}` : "";
  }

  // Enter leads to the first hit; arrows go through the hits and back to the box.
  function move(event) {
    const links = [...found.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (!links.length || (at < 0 && document.activeElement !== box)) return;
    if (event.key === "Enter" && at < 0) links[0].click();
    else if (event.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)].focus();
    else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] ?? box).focus();
    else return;
    event.preventDefault();
  }

  box.addEventListener("input", search);
  document.addEventListener("keydown", (event) => {
    move(event);
    if (event.key !== "Escape" || !found.firstChild) return;
    box.value = "";
    search();
    box.focus();
  });

  // Code is copied as it stands; where a browser keeps the clipboard to itself, it is selected.
  async function copy(code, button) {
    try {
      await navigator.clipboard.writeText(code.textContent.replace(/\n$/, ""));
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl+C";
    }
    setTimeout(() => { button.textContent = "Copy code"; }, 2000);
  }
  document.querySelectorAll(".page .highlight:not(.reference *)").forEach((cell) => {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy" });
    button.textContent = "Copy code";
    button.addEventListener("click", () => copy(cell.querySelector("pre"), button));
    cell.prepend(button);
  });

  // A browser runs no Python on pages from the disk.
  const SERVE = "This runs once the folder above this one is served: python -m http.server";
  document.querySelectorAll("a.run").forEach((link) => {
    if (link.protocol !== "file:") return;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      link.setAttribute("role", "status");
      link.textContent = SERVE;
    });
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
