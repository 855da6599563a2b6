// On the page of the course in a browser: go to the cell that the address names (#cell-id=...), and
// say where this page keeps nothing.
(() => {
  const UNSAFE = "What you do here is lost when you leave: this page keeps files only over https, or on localhost.";
  const MARK = "#cell-id=";
  const cell = location.hash; // before JupyterLab rewrites the address
  const file = new URLSearchParams(location.search).get("path");
  const wait = async (ready) => {
    for (let found; ; await new Promise((then) => setTimeout(then, 100))) {
      if ((found = ready())) return found;
    }
  };

  async function go(app) {
    const panels = () => [...app.shell.widgets("main")];
    const panel = await wait(() => panels().find((one) => one.context?.path === file));
    await panel.context.ready;
    await panel.revealed;
    const place = panel.content.widgets.findIndex((one) => one.model.id === cell.slice(MARK.length));
    if (place < 0) return;
    panel.content.activeCellIndex = place;
    await panel.content.scrollToItem(place, "start");
  }

  async function begin() {
    const app = await wait(() => window.jupyterapp);
    await app.restored;
    if (!navigator.serviceWorker) {
      app.commands.execute("apputils:notify", { message: UNSAFE, type: "warning", options: { autoClose: false } });
    }
    if (cell.startsWith(MARK) && file) await go(app);
  }
  begin();
})();
