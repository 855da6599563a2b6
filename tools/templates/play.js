// On the first page: the slider starts at the root, cases fall from where they were, the AUC counts.
(() => {
  const play = document.querySelector(".play"), still = matchMedia("(prefers-reduced-motion: reduce)");
  const image = play.querySelector("img"), number = play.querySelector(".auc b");
  const slider = play.querySelector("input"), LONG = 700;
  let before = null, last = NaN;

  // The dots of the tree and of the ranking below, by colour, from left to right: cases do not
  // overtake each other.
  function dots(svg) {
    const all = [...svg.querySelectorAll("use[x]")].filter(({ style }) => style.fill && !style.stroke)
      .map((use) => [use, Number(use.getAttribute("x")), Number(use.getAttribute("y"))]);
    const parts = [all.slice(0, all.length / 2), all.slice(all.length / 2)];
    const colours = [...new Set(all.map(([use]) => use.style.fill))].sort();
    return parts.flatMap((part) => colours.map((colour) => part
      .filter(([use]) => use.style.fill === colour).sort((a, b) => a[1] - b[1] || a[2] - b[2])));
  }

  function fall() {
    const text = decodeURIComponent(image.src.split(",")[1]);
    const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    svg.setAttribute("aria-hidden", "true"); // the image below it has the alt text
    play.querySelector("svg")?.remove();
    image.after(svg);
    const now = dots(svg), begun = performance.now();
    const from = last, to = Number(/AUC (\S+):/.exec(image.alt)?.[1] ?? NaN);
    if (before && !still.matches) {
      now.forEach((row, i) => row.forEach(([use, x, y], k) => {
        const [, oldX, oldY] = before[i]?.[k] ?? [0, x, y];
        use.animate([{ transform: `translate(${oldX - x}px, ${oldY - y}px)` }, { transform: "none" }],
          { duration: LONG, easing: "cubic-bezier(.4, 0, .6, 1)" });
      }));
    }
    function count() {
      const part = still.matches || isNaN(from) ? 1 : Math.min((performance.now() - begun) / LONG, 1);
      if (last !== to) return; // another place of the slider has taken over
      number.textContent = isNaN(to) ? "" : (part < 1 ? from + part * (to - from) : to).toFixed(3);
      if (part < 1) requestAnimationFrame(count);
    }
    [before, last] = [now, to];
    count();
  }

  function begin() {
    slider.value = 0;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    fall();
    new MutationObserver(fall).observe(image, { attributeFilter: ["alt"] });
  }
  const ready = new MutationObserver(() => slider.disabled || (ready.disconnect(), begin()));
  ready.observe(slider, { attributeFilter: ["disabled"] });
})();
