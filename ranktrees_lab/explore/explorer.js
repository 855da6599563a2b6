// The controls of an explorer on a page without a kernel: each combination is a list of numbers
// into one list of parts, of which picture, alt text and tables are put together.
(() => {
  async function inflated(code) {
    const bytes = Uint8Array.from(atob(code), letter => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).json();
  }

  async function fill(explorer) {
    explorer.dataset.ready = "no";
    const { tree, plans, now, shots, parts } =
      await inflated(explorer.querySelector("script").textContent);
    const find = name => explorer.querySelector(name);
    const [image, said] = [find("img"), find(".rt-said")];
    const [sentence, tables] = find(".rt-words").children;
    const inputs = [...explorer.querySelectorAll("input, select")];
    const offered = new Map(); // the plan that each input shows
    const text = numbers => numbers.map(i => parts[i]).join("");

    // Go down the tree: what each control offers, its place there, which begin anew; the shot.
    function walk(moved) {
      const [path, anew] = [[], []];
      let node = tree;
      while (Array.isArray(node)) {
        const [plan, level] = [plans[node[0]], path.length];
        if (!moved.has(level) && plan.follows.some(other => moved.has(other))) {
          now[level] = plan.at[plan.start];
          moved.add(level);
          anew.push(level);
        }
        const far = plan.at.map(at => Math.abs(at - now[level]));
        const place = far.indexOf(Math.min(...far)); // the nearest to where it was set
        path.push([plan, place]);
        node = node[1][plan.enabled ? place : 0];
      }
      return [path, anew, shots[node]];
    }

    function show(input, plan, place) {
      if (input.type === "range") {
        input.max = plan.texts.length - 1;
        input.setAttribute("aria-valuetext", plan.texts[place]);
        input.closest("span").querySelector("output").textContent = plan.texts[place];
      } else if (offered.get(input) !== plan) {
        input.replaceChildren(...plan.texts.map((text, i) => new Option(text, i)));
      }
      offered.set(input, plan);
      input.value = place;
      input.disabled = !plan.enabled || plan.texts.length < 2;
    }

    function draw(moved) {
      const [path, anew, shot] = walk(moved);
      inputs.forEach(input => show(input, ...path[input.dataset.level]));
      const begun = inputs.filter(input => anew.includes(Number(input.dataset.level)))
        .map(input => [input.labels[0].firstChild.data.trim(), path[input.dataset.level]])
        .map(([label, [plan, place]]) => `${label} is now ${plan.texts[place]}.`);
      const fails = typeof shot === "string";
      said.textContent = fails ? `Could not draw this: ${shot}` : begun.join(" ");
      if (!fails) {
        image.src = `data:image/svg+xml,${encodeURIComponent(text(shot[0]))}`;
        image.alt = text(shot[1]);
      }
      sentence.textContent = fails ? "" : image.alt;
      tables.innerHTML = fails ? "" : text(shot[2]);
    }

    inputs.forEach(input => input.addEventListener("input", () => {
      const level = Number(input.dataset.level);
      now[level] = offered.get(input).at[input.value];
      draw(new Set([level]));
    }));
    draw(new Set());
    explorer.dataset.ready = "yes";
  }

  function start() {
    document.querySelectorAll(".rt-explorer:not([data-ready])").forEach(one => fill(one).catch(() => {
      one.querySelector(".rt-said").textContent = "This browser is too old for these controls.";
    }));
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
