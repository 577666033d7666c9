import pytest

from tests import kernels


def test_a_kernel_that_openblas_does_not_take_is_an_error():
    with pytest.raises(RuntimeError, match=r"'Abacus', .* has no effect: the libraries use"):
        kernels.check({"OPENBLAS_CORETYPE": "Abacus", "OPENBLAS_NUM_THREADS": "1"})


def test_both_libraries_take_the_number_of_threads():
    assert {threads for _, threads in kernels.libraries({"OPENBLAS_NUM_THREADS": "1"})} == {1}
    assert len(kernels.libraries({})) == 2


@pytest.mark.parametrize(
    ("supported", "own", "cases"),
    [
        (["Nehalem", "Haswell", "SkylakeX"], "SkylakeX", [("Nehalem", "1"), ("Haswell", "2")]),
        (["Nehalem"], "Nehalem", [("Nehalem", "2")]),
        ([], "Neoverse", [("Neoverse", "2")]),
    ],
)
def test_each_other_kernel_runs_and_the_last_with_two_threads(supported, own, cases):
    assert [tuple(each.values()) for each in kernels.choose_cases(supported, own)] == cases


def test_a_processor_runs_the_kernels_whose_instructions_it_has():
    old = "processor : 0\nflags\t\t: fpu sse2 sse4_2 avx avx2 fma\n"
    assert kernels.supported(old) == ["Nehalem", "Haswell"]
    assert kernels.supported("processor : 0\nBogoMIPS : 243.75\n") == []
