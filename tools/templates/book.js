// Before the book is printed: everything is unfolded, but what answers a question or solves a task
// stands at the end of its lesson, with a link there and back.
(() => {
  const made = (tag, text, attributes) => Object.assign(document.createElement(tag),
    { textContent: text, ...attributes });
  const asked = (folded) => folded.querySelector(":scope > script[type='application/json']");
  const solves = (folded) => folded.querySelector("summary").textContent === "Solution"
    || asked(folded); // a quiz's question or a guess

  document.querySelectorAll("details").forEach((folded) => { folded.open = true; });
  document.querySelectorAll(".chapter").forEach((chapter) => {
    const tasks = [...chapter.querySelectorAll("details")].filter(solves);
    if (!tasks.length) return;
    chapter.append(made("h2", "Answers and solutions", { id: `${chapter.id}.answers` }));
    tasks.forEach((task, place) => {
      const summary = task.querySelector("summary");
      const name = `${summary.textContent} ${place + 1}`;
      const [here, there] = ["task", "answer"].map((kind) => `${chapter.id}.${kind}${place + 1}`);
      const text = `${name}: at the end of this lesson`;
      const lead = made("p", "", { id: here, className: "later" });
      lead.append(made("a", text, { href: `#${there}` }));
      task.replaceWith(lead);
      task.id = there;
      summary.replaceChildren(made("a", name, { href: `#${here}` }));
      chapter.append(task);
    });
  });
})();
