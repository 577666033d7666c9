"""The problem of the support matrix machine: objective, dual, and certificates of solutions."""

from smmcore.problems.base import Candidate, Certificate, MatrixProblem, Proof
from smmcore.problems.smm import SMMProblem
from smmcore.problems.spectral import SMMCertificate, SpectralProblem

__all__ = [
    "Candidate",
    "Certificate",
    "MatrixProblem",
    "Proof",
    "SMMCertificate",
    "SMMProblem",
    "SpectralProblem",
]
