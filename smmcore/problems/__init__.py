"""Optimisation problems: objective, dual, and certificates of solutions."""

from smmcore.problems.base import Candidate, Certificate, MatrixProblem, Proof
from smmcore.problems.bilinear import BilinearProblem
from smmcore.problems.glm import GLMProblem
from smmcore.problems.least_squares import LSSMMProblem
from smmcore.problems.regression import (
    LSCertificate,
    RegularizedLS,
    Splitting,
    differences,
    gaussian_design,
)
from smmcore.problems.smm import SMMProblem
from smmcore.problems.spectral import SMMCertificate, SpectralProblem
from smmcore.problems.weighted_svm import WeightingProblem

__all__ = [
    "BilinearProblem",
    "Candidate",
    "Certificate",
    "GLMProblem",
    "LSCertificate",
    "LSSMMProblem",
    "MatrixProblem",
    "Proof",
    "RegularizedLS",
    "SMMCertificate",
    "SMMProblem",
    "SpectralProblem",
    "Splitting",
    "WeightingProblem",
    "differences",
    "gaussian_design",
]
