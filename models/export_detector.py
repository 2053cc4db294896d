"""
Exports a checkpoint's averaged weights to ONNX, stored in half precision (computed in full).

    python models/export_detector.py models/out/detector/last.pt models/detector/detector.onnx
"""

from __future__ import annotations

import sys
from pathlib import Path

from scorekeeper.training.export import export_detector

if __name__ == "__main__":
    export_detector(Path(sys.argv[1]), Path(sys.argv[2]))
