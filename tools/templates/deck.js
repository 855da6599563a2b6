// Starts a deck: its keys, its menu, and a pen.
const WIDTH = 1280, HEIGHT = 720;

// Where a key is for what has the focus the deck stays; a presenter's clicker always leaves it.
const TAKES = ".rt-explorer, .bar button";
function isForDeck({ key, target }) {
  if (menu.open) return key.toLowerCase() === "m";
  const one = target.closest?.(TAKES), clicker = key.startsWith("Page");
  const takes = one && (one.tagName !== "BUTTON" || [" ", "Enter"].includes(key));
  if (takes && clicker) document.activeElement.blur();
  return !takes || clicker;
}

// The menu: the sections, each with the slide it begins on.
const menu = document.querySelector("dialog"), opens = document.querySelector("#menu");
document.querySelectorAll(".slides > section").forEach((stack, i) => {
  const link = document.createElement("a"), item = document.createElement("li");
  link.href = `#/${i}`;
  link.textContent = stack.dataset.name;
  item.append(link);
  menu.querySelector("ol").append(item);
});
menu.addEventListener("click", () => menu.close());
const turn = () => (menu.open ? menu.close() : menu.showModal());
opens.addEventListener("click", turn);

// The drawing layer: a canvas on the slide, which is kept with it until it is erased.
const pen = document.querySelector("#draw");
function draw() {
  const on = document.body.classList.toggle("drawing");
  pen.setAttribute("aria-pressed", on);
}
function layer() {
  const slide = Reveal.getCurrentSlide(), old = slide.querySelector("canvas");
  if (old) return old;
  const made = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  slide.append(made);
  return made;
}
function stroke(event) {
  const drawing = document.body.classList.contains("drawing") && event.buttons & 1;
  if (!drawing || event.target.closest(".bar, dialog")) return;
  const canvas = layer(), box = canvas.getBoundingClientRect(), lines = canvas.getContext("2d");
  const at = [(event.clientX - box.left) * WIDTH / box.width,
    (event.clientY - box.top) * HEIGHT / box.height];
  if (event.type === "pointerdown") {
    Object.assign(lines, { lineWidth: 4, lineCap: "round", strokeStyle: "#c8102e" });
    lines.beginPath();
    lines.moveTo(...at);
  }
  lines.lineTo(...at);
  lines.stroke();
  event.preventDefault();
  event.stopPropagation();
}
const erase = () => Reveal.getCurrentSlide().querySelector("canvas")?.remove();
pen.addEventListener("click", draw);
for (const type of ["pointerdown", "pointermove"]) document.addEventListener(type, stroke, true);

const keys = { M: ["Sections and other decks", turn], D: ["Draw", draw], E: ["Erase", erase] };
const loaded = [...document.images].map(image => image.decode().catch(() => {}));
Promise.all([MathJax.startup.promise, ...loaded]).then(() => Reveal.initialize({
  width: WIDTH, height: HEIGHT, margin: 0, center: false, hash: true, slideNumber: false,
  navigationMode: "linear", pdfSeparateFragments: false, transition: "none", plugins: [RevealNotes],
  keyboardCondition: isForDeck,
})).then(() => {
  for (const [key, [description, does]] of Object.entries(keys)) {
    Reveal.addKeyBinding({ keyCode: key.charCodeAt(0), key, description }, does);
  }
  document.body.classList.add("ready");
});
