"""The optimisation problems: objective, dual, and the certificate that proves an answer."""

from smmcore.problems.base import Candidate, Certificate, MatrixProblem
from smmcore.problems.bilinear import BilinearProblem
from smmcore.problems.glm import GLMProblem
from smmcore.problems.smm import SMMCertificate, SMMProblem

__all__ = [
    "BilinearProblem",
    "Candidate",
    "Certificate",
    "GLMProblem",
    "MatrixProblem",
    "SMMCertificate",
    "SMMProblem",
]
