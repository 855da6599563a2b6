// The button of the theme, the search, code to copy, and the keyboard for what is wide.
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

  const heads = (entry) => plain(entry.section || entry.page);
  const holds = (entry, word) => plain(`${entry.page} ${entry.section} ${entry.text}`).includes(word);

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

  // The words of all pages with how often they stand there, counted when they are first needed.
  let times = null;
  function known() {
    if (times) return times;
    times = new Map();
    window.WORDS.forEach((entry) => plain(`${entry.section} ${entry.text}`).match(/\p{L}{3,}/gu)
      ?.forEach((word) => times.set(word, (times.get(word) ?? 0) + 1)));
    return times;
  }

  // The word itself where a page holds it, else the nearest word, one or two letters away.
  function meant(word) {
    if (word.length < 4 || window.WORDS.some((entry) => holds(entry, word))) return word;
    const most = word.length < 6 ? 1 : 2;
    const near = [...known()].filter(([other]) => Math.abs(other.length - word.length) <= most)
      .map(([other, often]) => [slips(word, other), -often, other])
      .filter(([far]) => far <= most).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return near.length ? near[0][2] : word;
  }

  // A section whose heading has the words stands before one whose text has them; of two headings
  // that of a lesson is first, before the reference.
  function score(entry, words) {
    if (!words.every((word) => holds(entry, word))) return 0;
    const text = plain(entry.text);
    const often = (word) => Math.min(text.split(word).length - 1, 9);
    return words.reduce((sum, word) => sum + (heads(entry).includes(word) ? 100 : 0)
      + (plain(entry.page).includes(word) ? 10 : 0) + often(word), /^\d/.test(entry.url) ? 30 : 1);
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
    const typed = plain(box.value).split(/\s+/).filter((word) => word.length > 1);
    const words = typed.map(meant);
    const scored = window.WORDS.map((entry) => [words.length ? score(entry, words) : 0, entry]);
    const hits = scored.filter(([points]) => points).sort((a, b) => b[0] - a[0]);
    found.replaceChildren(...hits.slice(0, MOST).map(([, entry]) => line(entry, words[0])));
    const instead = words.join(" ") === typed.join(" ") ? "" : ` for ${words.join(" ")}`;
    count.textContent = words.length ? `${hits.length} found${instead}` : "";
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
