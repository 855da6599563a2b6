"""The course in a browser: Pyodide, and what stands beside it."""
