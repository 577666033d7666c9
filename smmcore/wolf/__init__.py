"""Wolf, Jhuang and Hazan: low-rank SVM and AROM; 2DPCA."""
