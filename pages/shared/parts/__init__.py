"""Parts that every lesson has beside its picture: charts, captions, formulas, downloads."""
