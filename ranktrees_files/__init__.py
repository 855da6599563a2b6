"""Files in and out: CSV, ARFF, doubts about tables, saved models and results, scans of files."""
