"""Code that several lessons use."""
