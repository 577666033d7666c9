"""The support matrix machine for scikit-learn, its scaling and its path."""
