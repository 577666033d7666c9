"""The data sets of the app: synthetic, bundled and uploaded."""
