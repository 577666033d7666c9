"""What one lesson needs besides its text: its controls, words, formulas and tables, by topic."""
