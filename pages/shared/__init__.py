"""What lessons share; never a page."""
