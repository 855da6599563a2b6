// Start Pyodide with the packages of packages.json, beside this file. A kernel's worker takes it for
// pyodide.js. Pyodide 0.27 looks for the files of a lock file at its own address, not beside that
// file: so ours get their whole address here, where the site's is known.
self.loadPyodide = async (options) => {
  const here = options.indexURL;
  const read = async (address) => {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`${address} cannot be read: ${answer.status}`);
    return answer.json();
  };
  const { pyodide, first, packages } = await read(new URL("packages.json", here));
  const indexURL = new URL(pyodide, here).href;
  importScripts(`${indexURL}pyodide.js`); // which sets loadPyodide
  const lock = await read(`${indexURL}pyodide-lock.json`);
  for (const [name, entry] of Object.entries(packages)) {
    lock.packages[name] = { ...entry, file_name: new URL(entry.file_name, here).href };
  }
  const written = new Blob([JSON.stringify(lock)], { type: "application/json" });
  const lockFileURL = URL.createObjectURL(written);
  const started = await self.loadPyodide({ ...options, indexURL, lockFileURL, packages: first });
  started.runPython("from ranktrees_lab.late import load_late; load_late()");
  return started;
};
