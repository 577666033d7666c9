"""Read uploaded data files safely: MATLAB of every version, HDF5, NumPy and text.

The format is recognised by the content of the file: MATLAB 4 to 7.3, HDF5, NumPy (.npz,
.npy), text (.csv and MATLAB's `save -ascii`), or a ZIP archive of these and of PNG and JPEG
images. Several files can be read as one (`Contents`). Uploaded files may be damaged or hostile: on
bad bytes `scipy.io.loadmat` can crash by a signal, hang, or turn 2 MB into 2 GB, and none of these
is an exception that the caller could catch. So every byte is parsed in a child process with limits
of memory and time (`sandbox.py`, `child.py`). A file that cannot be used raises `FileError`, a
`ValueError` whose message is one sentence.

>>> contents = Contents(Path("faces.mat").read_bytes())                      # doctest: +SKIP
>>> contents.variables["fea"]                                               # doctest: +SKIP
Variable(name='fea', matlab_class='double', shape=(400, 1024))
>>> layout = contents.infer_layouts()[0]                                    # doctest: +SKIP
>>> X, y, *_ = contents.raw_samples(layout).take(np.arange(400))            # doctest: +SKIP
>>> X.shape, y.shape                                                        # doctest: +SKIP
((400, 32, 32), (400,))
"""

from .contents import Contents
from .formats.errors import FileError
from .labels import MissingError
from .layout import Layout, Variable

__all__ = [
    "Contents",
    "FileError",
    "Layout",
    "MissingError",
    "Variable",
]
