"""Run experiments on worker processes, and stream their frames to the player."""
