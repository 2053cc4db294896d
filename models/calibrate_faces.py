"""
Fits how far the eye's readings of faces may be believed, and shows it on labelled pictures that nothing was fitted to.

    python models/calibrate_faces.py --composed TABLES-1 TABLES-2 --photographs PHOTOS --ranks PHOTOS/train/edje.jsonl
    python models/calibrate_faces.py --screens 300 --art datasets/out/art
    python models/calibrate_faces.py --check TABLES-3 PHOTOS [--plot docs/pictures/faces-calibration.png]

Prints weights for scorekeeper/vision/weights.py: READ and UNSEEN by composed tables and by photographs that may be
trained on, TABLE by so many composed pictures with screens among the cards. Or, of each folder of pictures to check, a
reliability table, and for each limit `sure` the share of right readings that would be certain and of certain ones that
are wrong; plotted, each folder is a line.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from scorekeeper.training.calibration import as_code, plot, report
from scorekeeper.training.face_beliefs import beliefs_of, fit_read, fit_table, fit_unseen, looks_of, ranks_of
from scorekeeper.vision.eye import load_eye
from scorekeeper.vision.weights import READ, TABLE, UNSEEN


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--composed", nargs="*", type=Path, default=[])
    parser.add_argument("--photographs", nargs="*", type=Path, default=[])
    parser.add_argument("--ranks", type=Path, help="a list of photographs with the ranks of their cards alone")
    parser.add_argument("--screens", type=int, default=0)
    parser.add_argument("--art", type=Path, help="folder of rendered card art")
    parser.add_argument("--check", nargs="*", type=Path, default=[])
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    eye = load_eye()
    if options.composed:
        composed = [look for folder in options.composed for look in looks_of(folder, "all", eye)]
        real = [look for folder in options.photographs for look in looks_of(folder, "train", eye)]
        real += ranks_of(options.ranks, eye) if options.ranks else []
        print(as_code("READ", READ, fit_read(composed, real)))
        print(as_code("UNSEEN", UNSEEN, fit_unseen(composed, real)))
    if options.screens:
        print(as_code("TABLE", TABLE, fit_table(options.screens, options.art, eye)))
    if options.check:
        named = {str(folder): beliefs_of(looks_of(folder, "measure", eye)) for folder in options.check}
        for name, told in named.items():
            print(f"{name}\n{report(told)}")
        if options.plot:
            plot(options.plot, named)


if __name__ == "__main__":
    main()
