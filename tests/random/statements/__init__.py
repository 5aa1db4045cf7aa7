"""The kinds of statement that generate.py makes up, a module for each concept; each method writes both forms."""
