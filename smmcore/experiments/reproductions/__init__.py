"""The tables and figures of the papers; each module holds subclasses of `Reproduction`."""
