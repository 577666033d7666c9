"""Run a script of the project that is isolated (`python -I`), deceived as well."""

import os
import runpy
import sys
from importlib.util import module_from_spec, spec_from_file_location

_, os.environ["SIMULATE"], *sys.argv = sys.argv
# By its path: another sitecustomize may have been there first.
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "sitecustomize.py")
spec = spec_from_file_location("simulate", path)
spec.loader.exec_module(module_from_spec(spec))
del os.environ["SIMULATE"]
runpy.run_path(sys.argv[0], run_name="__main__")
