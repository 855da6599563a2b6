// Questions that a click answers: choices become buttons, numbers and orders a small form.
// Without scripts the folded answers stay; they hold what is needed here, as JSON.
(() => {
  const made = (tag, text = "", attributes = {}) => {
    const element = document.createElement(tag);
    element.textContent = text;
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    return element;
  };
  const THOUSANDS = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?%?$/;
  const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:\/(\d+\.?\d*|\.\d+))?(%?)$/;

  const OF = /\s+(?:out\s+)?of\s+(\d+)\b.*/, UNIT = /(?<=[\d.%])\s*[A-Za-z][^\d%]*$/;

  // The number that was typed, or null; the same as `read_number` of the lessons takes.
  function read(text, unit) {
    let typed = text.trim().replace(/^[=≈~ ]+/, "").replace(/per ?cent\b/, "%").replace("−", "-");
    typed = typed.replace(OF, unit === "share" ? "/$1" : "").replace(UNIT, "").replace(/\s/g, "");
    typed = typed.replaceAll(",", THOUSANDS.test(typed) ? "" : ".");
    const found = NUMBER.exec(typed);
    if (!found || Number(found[2] ?? 1) === 0) return null;
    if (found[3] && !["share", "%", "per cent"].includes(unit)) return null;
    const value = found[1] / (found[2] ?? 1) / (found[3] && unit === "share" ? 100 : 1);
    return unit === "share" && (value < 0 || value > 1) ? null : value;
  }

  const fixed = (value, digits) => value.toLocaleString("en",
    { minimumFractionDigits: digits, maximumFractionDigits: digits });

  function written(value, { unit, digits }) {
    if (unit !== "share") return `${fixed(value, digits)} ${unit}`.trim();
    return `${value.toFixed(digits)} (${(100 * value).toFixed(Math.max(digits - 2, 0))} %)`;
  }

  function farOff(value, ask) {
    const off = Number(value.toFixed(ask.digits)) - Number(ask.number.toFixed(ask.digits));
    const far = fixed(Math.abs(off), ask.digits);
    if (Number(off.toFixed(ask.digits)) === 0) return `You said ${written(value, ask)}, and that is the answer.`;
    return `You said ${written(value, ask)}; it is ${written(ask.number, ask)}: ${far} ${off > 0 ? "lower" : "higher"}.`;
  }

  function pairs(value, right) {
    const [kept, all] = value.reduce(([good, n], one, i) => value.slice(i + 1).reduce(
      ([g, m], other) => [g + (right.indexOf(one) < right.indexOf(other)), m + 1], [good, n]), [0, 0]);
    return kept === all ? `You said ${right.join(", ")}, and that is the order.`
      : `The order is ${right.join(", ")}: ${kept} of your ${all} pairs stand in it.`;
  }

  // Choices as buttons; of a quiz (with `says`) others can be tried, of a guess the first one counts.
  function choices(list, ask, say, reveal) {
    const buttons = [...list.children].map((item) => {
      const button = made("button", "", { type: "button", "aria-pressed": "false" });
      button.append(...item.childNodes);
      item.append(button);
      return button;
    });
    list.classList.add("choices");
    buttons.forEach((button, place) => button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled")) return;
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      button.classList.add(place === ask.right ? "right" : "wrong");
      if (ask.says) { say(ask.says[place]); return; }
      buttons[ask.right].classList.add("right");
      buttons.forEach((other) => other.setAttribute("aria-disabled", "true"));
      const [chosen, right] = [button, buttons[ask.right]].map((one) => one.innerHTML);
      say(chosen === right ? `You chose ${chosen}, and that is the answer.`
        : `You chose ${chosen}; it is ${right}.`);
      reveal();
    }));
  }

  // A form with these controls, which says what `outcome` says, or what is `missing` where it is null.
  function form(before, controls, outcome, missing, say, reveal) {
    const whole = made("form", "", { class: "guess" });
    const button = made("button", "That is my guess", { type: "submit" });
    whole.append(...controls, button);
    before.before(whole);
    whole.addEventListener("submit", (event) => {
      event.preventDefault();
      const said = outcome();
      say((said ?? missing).replace(/&/g, "&amp;").replace(/</g, "&lt;"));
      if (said === null) return;
      whole.querySelectorAll("input, select, button").forEach((one) => { one.disabled = true; });
      reveal();
    });
  }

  function labelled(text, control) {
    const label = made("label", `${text} `);
    label.append(control);
    return label;
  }

  function number(said, ask, say, reveal) {
    const box = made("input", "", { type: "text", inputmode: "decimal", autocomplete: "off" });
    const outcome = () => {
      const value = read(box.value, ask.unit);
      const possible = value !== null && !(value < ask.least) && !(value > ask.most);
      return possible ? farOff(value, ask) : null;
    };
    const most = "most" in ask ? `, from ${ask.least} to ${ask.most}` : "";
    form(said, [labelled("Your guess", box)], outcome, `Please type ${ask.wanted}${most}.`, say, reveal);
  }

  function order(said, ask, say, reveal) {
    const selects = ask.known.map(() => {
      const select = made("select", "", { autocomplete: "off" });
      select.append(...["", ...ask.known].map((name) => made("option", name)));
      return select;
    });
    const outcome = () => {
      const value = selects.map((select) => select.value);
      return ask.known.every((name) => value.includes(name)) ? pairs(value, ask.order) : null;
    };
    const controls = selects.map((select, place) => labelled(`${place + 1}.`, select));
    form(said, controls, outcome, "Each has one place: one has none yet.", say, reveal);
  }

  document.querySelectorAll(".question").forEach((question) => {
    const folded = question.querySelector(":scope > details");
    const ask = JSON.parse(folded.querySelector(":scope > script").textContent);
    if (!Object.keys(ask).length) return;  // nothing is asked: it stays folded
    const said = made("p", "", { role: "status", class: "says" });
    folded.before(said);
    question.setAttribute("role", "group");
    question.setAttribute("aria-label", "Question");
    const say = (text) => { said.innerHTML = text; };
    const reveal = () => { folded.open = true; };
    if ("number" in ask) number(said, ask, say, reveal);
    else if ("order" in ask) order(said, ask, say, reveal);
    else choices(question.querySelector(":scope > ol, :scope > ul"), ask, say, reveal);
  });
})();
