"""
Exports a checkpoint's averaged weights, or the mean of several, to ONNX, stored in half precision (computed in full).

    python models/export_detector.py models/out/detector/last.pt models/detector/detector.onnx
    python models/export_detector.py best.pt last.pt models/detector/detector.onnx
"""

from __future__ import annotations

import sys
from pathlib import Path

from scorekeeper.training.export import export_detector

if __name__ == "__main__":
    export_detector([Path(name) for name in sys.argv[1:-1]], Path(sys.argv[-1]))
