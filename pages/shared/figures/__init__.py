"""Pictures that stand still. Plotly only: the page decides where they go and in which theme."""
