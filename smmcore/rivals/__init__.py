"""The classifiers that the SMM paper compares with: bilinear SVM and regularised GLM."""
