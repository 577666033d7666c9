"""The player: a component that draws the frames of a run, and its panels."""
