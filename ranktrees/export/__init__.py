"""A tree or a model as SQL, words, HTML, a file, and as the reasons for what it says."""
