// node pyodide.mjs PYODIDE PACKAGES WHEELS FOLDER FILE ARGUMENTS: run a Python file in Pyodide, with Pyodide's PACKAGES and
// other WHEELS (both joined by commas), the checkout as /course, and FOLDER as /out.
// Ends with the number STATUS that the file sets: a SystemExit would end Pyodide itself, as an error.
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
let status = 1;
try {
  await py.runPythonAsync(fs.readFileSync(file, 'utf-8'), { filename: path.basename(file) });
  status = py.globals.get('STATUS') ?? 0;
} catch (error) {
  console.error(error.message); // not the error itself, with which Node would print all of Pyodide's code
}
process.exit(status);
