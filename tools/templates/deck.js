// Starts a deck: the 45-minute cut, or with ?cut=90 all slides. Each slide gets the type and the
// place of its figure for which all has room and both are large; it is laid out in a flow meanwhile.
const WIDTH = 1280, HEIGHT = 720;
const LARGEST = 44, SMALLEST = 14; // pixels of the type
const BESIDE = ["under", "beside", "wide", "wider"]; // places of words and a figure
const ENOUGH = 26, LEAST = 16; // pixels of type beside a figure: as good as larger; at least
const POINTS = 9, LETTERS = 14; // of the smallest lettering in pictures; pixels of it at least
const PRINTED = 14; // pixels of printed output at least
const MOST_CODE = 14; // lines of code on a slide
const LITTLE = HEIGHT / 3 + 20; // pixels: words that end above are joined to a slide beside

if (new URLSearchParams(location.search).get("cut") !== "90") {
  document.querySelectorAll(".more").forEach(part => part.remove());
}
document.querySelectorAll(".slides > section:not(:has(section))").forEach(stack => stack.remove());

function fits(slide) {
  const content = slide.querySelector(".content"), right = content.getBoundingClientRect().right;
  const parts = [...content.querySelectorAll(".one, .two, .words, .text, pre, table, mjx-container")]
    .filter(part => part.clientWidth && !part.closest("details:not([open])"));
  return content.scrollHeight <= content.clientHeight + 1
    && parts.every(part => part.scrollWidth <= part.clientWidth + 1)
    && parts.every(part => part.getBoundingClientRect().right <= right + 1)
    && [...content.querySelectorAll(".words")].every(part => part.scrollHeight <= part.clientHeight + 1)
    && parts.every(part => part.tagName !== "PRE" || parseFloat(getComputedStyle(part).fontSize) >= PRINTED);
}

// The size of the smallest lettering inside a picture, in pixels of the slide; its whole size is
// known from its pixels, 200 an inch, or as SVG 96.
const inches = image => image.naturalWidth / (image.src.startsWith("data:image/svg") ? 96 : 200);
const lettering = image => POINTS / 72 / inches(image) * Math.min(
  image.clientWidth, image.clientHeight * image.naturalWidth / image.naturalHeight);
const across = image => POINTS / 72 / inches(image) * image.clientWidth; // if it is not too high
const drawn = slide => Math.min(...[...slide.querySelectorAll(".figures img")].map(lettering));

function grow(slide) {
  for (let size = LARGEST; size >= SMALLEST; size--) {
    slide.style.fontSize = `${size}px`;
    if (fits(slide)) return;
  }
}

// The size and the place for which all has room; returns whether it has.
function lay(slide) {
  const two = slide.querySelector(".two"), found = [];
  if (!two) {
    grow(slide);
    return fits(slide);
  }
  for (const way of BESIDE) {
    two.className = `two ${way}`;
    for (let size = 32; size >= LEAST; size -= 2) {
      slide.style.fontSize = `${size}px`;
      const isWide = [...slide.querySelectorAll(".figures img")].every(i => across(i) >= LETTERS);
      if (fits(slide)) found.push({ way, size, isWide, scale: drawn(slide) });
    }
  }
  if (!found.length) {
    grow(slide);
    return false;
  }
  const most = Math.max(...found.map(one => one.scale));
  const worth = one => one.scale / most + Math.min(one.size, ENOUGH) / ENOUGH + one.size / 1000
    + (one.scale >= Math.min(LETTERS, most) ? 1 : 0) + (one.isWide ? 1 : 0);
  const best = found.reduce((a, b) => (worth(b) > worth(a) ? b : a));
  two.className = `two ${best.way}`;
  slide.style.fontSize = `${best.size}px`;
  return true;
}

function finish(slide) {
  const images = [...slide.querySelectorAll(".figures img")], under = slide.querySelector(".under");
  images.forEach(enlarge);
  const high = image => image.clientWidth * image.naturalHeight / image.naturalWidth;
  if (under && images.length === 1 && images[0].closest("figure:not(.scrolls)")
      && high(images[0]) < images[0].clientHeight) { // the words stand next to the picture
    under.style.gridTemplateRows = `${Math.ceil(high(images[0]))}px minmax(0, 1fr)`;
  }
}

function isLittle(slide) {
  const end = slide.querySelector(".text")?.getBoundingClientRect().bottom;
  return !slide.querySelector("h1, .figures") && end - slide.getBoundingClientRect().top < LITTLE;
}

// Words that are too little for a slide go below those of the slide above in their section, or
// above those of the next, where they have room and give no answer away.
function join(slide) {
  if (!isLittle(slide)) return;
  const { previousElementSibling: above, nextElementSibling: below } = slide;
  const isOpen = above && !above.querySelector(".answer");
  if (isOpen && moved(slide, above, "append")) return;
  if (below && !slide.querySelector(".answer")) moved(slide, below, "prepend");
}

// The notes say which slide of its section each is, in this cut.
function count(stack) {
  const places = [...stack.querySelectorAll(".place")];
  places.forEach((place, i) => { place.textContent = `: slide ${i + 1} of ${places.length}`; });
}

// What is little even so, such as one wide table, gets more room between its lines.
function spread(slide) {
  if (!isLittle(slide)) return;
  slide.classList.add("airy");
  if (lay(slide)) return;
  slide.classList.remove("airy");
  lay(slide);
}

function moved(slide, other, how) {
  const two = other.querySelector(".one, .two"), before = drawn(other), name = two.className;
  const heading = slide.querySelector("h2:not(.again), h3"), again = other.querySelector("h2.again");
  const begins = heading?.parentElement.matches(".content") && heading;
  if (begins && how === "prepend" && !again) return false;
  const parts = [...slide.querySelector(".text").childNodes], old = other.querySelector(".text");
  const words = document.createElement("div"), text = old ?? document.createElement("div");
  words.className = "words";
  text.className = "text";
  if (!old) {
    words.append(text);
    two.prepend(words);
    two.className = "two";
  }
  if (begins && how === "append") parts.unshift(begins);
  text[how](...parts);
  if (begins && how === "prepend") again.replaceWith(begins);
  const folds = [...slide.querySelectorAll(".content > details")];
  other.querySelector(".content").append(...folds);
  const code = [...text.querySelectorAll(".highlight pre")].map(pre => pre.textContent.trim());
  if (code.join("\n").split("\n").length <= MOST_CODE
      && lay(other) && drawn(other) >= Math.min(LETTERS, before)
      && parseInt(other.style.fontSize) > LEAST) {
    const notes = [...slide.querySelector(".notes").children];
    other.querySelector(".notes").append(...notes.filter(part => part.className !== "section"));
    slide.remove();
    return true;
  }
  slide.querySelector(".content").append(...folds);
  slide.querySelector(".text").append(...parts);
  if (begins && how === "prepend") begins.replaceWith(again);
  if (begins) slide.querySelector(".content").prepend(begins);
  if (!old) words.remove();
  two.className = name;
  lay(other);
  return false;
}

// A picture with too small lettering is as large as it must be, and scrolls.
function enlarge(image) {
  const letters = lettering(image), figure = image.parentElement;
  if (letters >= LETTERS || !image.closest(".figures")) return;
  const width = LETTERS / POINTS * 72 * inches(image);
  Object.assign(image.style, { flex: "none", maxWidth: "none", width: `${Math.ceil(width)}px`,
    height: `${Math.ceil(width * image.naturalHeight / image.naturalWidth)}px` });
  image.style.setProperty("height", image.style.height, "important");
  figure.classList.add("scrolls");
  figure.tabIndex = 0;
}

// Where a key is for what has the focus the deck stays; a presenter's clicker always leaves it.
const TAKES = ".rt-explorer, .scrolls, .content > details, .bar button";
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
Promise.all([MathJax.startup.promise, ...loaded]).then(() => {
  document.body.classList.add("measuring");
  for (const step of [lay, join, spread, finish]) document.querySelectorAll(".slide").forEach(step);
  document.querySelectorAll(".slides > section").forEach(count);
  document.body.classList.remove("measuring");
  return Reveal.initialize({
    width: WIDTH, height: HEIGHT, margin: 0, center: false, hash: true, slideNumber: "c/t",
    navigationMode: "linear", pdfSeparateFragments: false, transition: "none", plugins: [RevealNotes],
    keyboardCondition: isForDeck,
  });
}).then(() => {
  for (const [key, [description, does]] of Object.entries(keys)) {
    Reveal.addKeyBinding({ keyCode: key.charCodeAt(0), key, description }, does);
  }
  document.body.classList.add("ready");
});
