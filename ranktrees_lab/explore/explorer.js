// The sliders of an explorer on a page without a kernel: each place of a control is a picture.
// Only one control is away from its start at a time; the one before returns, and the page says so.
(() => {
  function fill(explorer) {
    const controls = JSON.parse(explorer.querySelector("script").textContent);
    const inputs = [...explorer.querySelectorAll("input, select")];
    const image = explorer.querySelector("img");
    const words = explorer.querySelector(".rt-words");
    const said = explorer.querySelector(".rt-said");
    let moved = -1; // the control that is away from its start

    function show(i, text) {
      const output = inputs[i].closest("span").querySelector("output");
      const chosen = inputs[i].selectedOptions?.[0].text; // a list says itself what is chosen
      output.textContent = chosen === text ? "" : chosen ? `now ${text}` : text;
      if (!chosen) inputs[i].setAttribute("aria-valuetext", text);
    }

    function move(i) {
      const back = moved >= 0 && moved !== i ? moved : -1;
      if (back >= 0) inputs[back].value = controls[back].start;
      const place = Number(inputs[i].value);
      const state = controls[i].pictures[place];
      controls.forEach((control, k) => {
        show(k, state.others[control.name] ?? control.texts[k === i ? place : control.start]);
      });
      image.src = state.src;
      image.alt = state.alt;
      words.innerHTML = state.words;
      moved = place === controls[i].start ? -1 : i;
      said.textContent = back < 0 ? "" :
        `${controls[back].label} is back at ${controls[back].texts[controls[back].start]}: ` +
        "without Python one control moves at a time.";
    }

    inputs.forEach((input, i) => input.addEventListener("input", () => move(i)));
    explorer.dataset.ready = "yes";
  }

  function start() {
    document.querySelectorAll(".rt-explorer:not([data-ready])").forEach(fill);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
