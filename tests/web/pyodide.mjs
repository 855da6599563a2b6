// node pyodide.mjs PYODIDE PACKAGES WHEELS FOLDER FILE ARGUMENTS: run a Python file in Pyodide, with Pyodide's PACKAGES and
// other WHEELS (both joined by commas), the checkout as /course, and FOLDER as /out. Ends with the file's SystemExit, else 0.
import fs from 'fs';
import path from 'path';
import { pathToFileURL } from 'url';

const [stock, packages, wheels, out, file, ...words] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(stock, 'pyodide.mjs')));
const py = await loadPyodide({ indexURL: stock + '/' });
await py.loadPackage(packages.split(','), { messageCallback: () => {} });
const site = py.runPython('import site; site.getsitepackages()[0]'); // without it: into the current folder
for (const wheel of wheels.split(',').filter(Boolean)) {
  py.unpackArchive(new Uint8Array(fs.readFileSync(wheel)), 'whl', { extractDir: site });
}
const root = path.resolve(import.meta.dirname, '../..');
for (const [name, folder] of [['/course', root], ['/out', out]]) {
  py.FS.mkdir(name);
  py.FS.mount(py.FS.filesystems.NODEFS, { root: folder }, name);
}
py.runPython(`
import os, sys, tempfile
sys.path[:0] = ['/course', '/course/tests', '/course/tests/web']
sys.dont_write_bytecode = True
os.environ['MPLBACKEND'] = 'module://matplotlib_inline.backend_inline'
os.chdir(tempfile.mkdtemp())
`);
py.globals.set('WORDS', py.toPy(words));
py.globals.set('heap', () => py._module.HEAP8.length);
let status = 0;
try {
  await py.runPythonAsync(fs.readFileSync(file, 'utf-8'), { filename: path.basename(file) });
} catch (error) {
  // Not the error itself, with which Node would print all of Pyodide's code.
  status = Number(/^SystemExit: (\d+)$/m.exec(error.message)?.[1] ?? 1);
  if (!/^SystemExit: \d+$/m.test(error.message)) console.error(error.message);
}
process.exit(status);
