// Starts a deck: the 45-minute cut, or with ?cut=90 all slides. Type shrinks on a slide until all
// that is on it has room, formulas included; slides are laid out in a flow while it is measured.
const WIDTH = 1280, HEIGHT = 720, LARGEST = 30, SMALLEST = 12;

if (new URLSearchParams(location.search).get("cut") !== "90") {
  document.querySelectorAll("section.more").forEach(slide => slide.remove());
}

function fits(slide) {
  const content = slide.querySelector(".content");
  const parts = [content, ...content.querySelectorAll(".words, .figures, pre, table, mjx-container")]
    .filter(part => !part.closest("details:not([open])"));
  return content.offsetHeight <= content.parentElement.clientHeight - 48
    && parts.every(part => part.scrollWidth <= part.clientWidth + 1 || part.clientWidth === 0)
    && parts.every(part => part.getBoundingClientRect().right <= slide.getBoundingClientRect().right);
}

function shrink(slide) {
  for (let size = LARGEST; size >= SMALLEST; size--) {
    slide.style.fontSize = `${size}px`;
    if (fits(slide)) return;
  }
}

const loaded = [...document.images].map(image => image.decode().catch(() => {}));
Promise.all([MathJax.startup.promise, ...loaded]).then(() => {
  document.body.classList.add("measuring");
  document.querySelectorAll("section").forEach(shrink);
  document.body.classList.remove("measuring");
  return Reveal.initialize({
    width: WIDTH, height: HEIGHT, margin: 0, center: false, hash: true, slideNumber: "c/t",
    transition: "none", plugins: [RevealNotes],
  });
}).then(() => document.body.classList.add("ready"));
