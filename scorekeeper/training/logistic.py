"""Logistic regression for a handful of features: how what the eye knows of a card becomes a likelihood."""

from __future__ import annotations

import numpy as np


def chances(features: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """How likely (n,) things with these *features* (n, k) are right, by *weights* (k,)."""
    return np.asarray(1 / (1 + np.exp(-features @ weights)))


def fitted(
    features: np.ndarray, right: np.ndarray, ridge: float = 1.0, weights: np.ndarray | None = None
) -> np.ndarray:
    """Weights (k,) of a logistic regression, by Newton's method; *ridge* keeps what few cards show small. Each thing
    counts as much as *weights* (n,) say, 1 where they are not given."""
    counts = np.ones(len(right)) if weights is None else weights
    weights = np.zeros(features.shape[1])
    keep = ridge * np.eye(len(weights))
    keep[0, 0] = 1e-6
    for _ in range(50):
        p = chances(features, weights)
        slope = features.T @ (counts * (right - p)) - keep @ weights
        bend = (features * (counts * p * (1 - p))[:, None]).T @ features + keep
        step = np.linalg.solve(bend, slope)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return weights
