"""Read uploaded data files safely: MATLAB of every version, HDF5, NumPy and text.

The format is recognised by the content of the file: MATLAB 4 to 7.3, HDF5, NumPy (.npz,
.npy), text (.csv and MATLAB's `save -ascii`), or a ZIP archive of these and of PNG and JPEG
images. Several files can be read as one (`Contents`). Uploaded files may be damaged or hostile: on
bad bytes `scipy.io.loadmat` can crash by a signal, hang, or turn 2 MB into 2 GB, and none of these
is an exception that the caller could catch. So every byte is parsed in a child process with limits
of memory and time (`sandbox.py`, `child.py`). A file that cannot be used raises `MatFileError`, a
`ValueError` whose message is one sentence.

>>> list_variables(Path("faces.mat").read_bytes())                          # doctest: +SKIP
[Variable(name='fea', matlab_class='double', shape=(400, 1024)),
 Variable(name='gnd', matlab_class='double', shape=(400, 1))]
>>> layout = Layout(("fea",), axis=0, shape=(32, 32), labels="gnd")          # doctest: +SKIP
>>> X, y, *_ = read_samples(Path("faces.mat").read_bytes(), layout)         # doctest: +SKIP
>>> X.shape, y.shape                                                        # doctest: +SKIP
((400, 32, 32), (400,))
"""

from .arrange import FileSamples
from .contents import Contents, infer_layouts, list_variables, read_samples, read_variables
from .formats.errors import MatFileError
from .labels import MissingError
from .layout import Layout, Variable

__all__ = [
    "Contents",
    "FileSamples",
    "Layout",
    "MatFileError",
    "MissingError",
    "Variable",
    "infer_layouts",
    "list_variables",
    "read_samples",
    "read_variables",
]
