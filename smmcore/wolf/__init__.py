"""Wolf, Jhuang and Hazan: low-rank SVM, AROM and the cyclic rank-k SVM; 2DPCA."""
