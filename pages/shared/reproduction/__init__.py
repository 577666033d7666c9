"""Tables and figures of the papers, computed again in cells that finish one by one."""
