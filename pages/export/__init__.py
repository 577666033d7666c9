"""The course as files that need no server: `python -m pages.export FOLDER`."""

from pages.navigation import FURTHER, LESSONS, SECTIONS

HOME = "index"  # its file begins the course, as it links to all lessons in their order
TITLES = {HOME: "W is a stencil for faces"}  # of the pages that can be saved, in their order
TITLES |= {each.address: each.title for each in (*LESSONS, *SECTIONS[FURTHER])}
