# Each target makes the virtual environment it needs itself, and again only when a dependency changed.
#   make run     the board, with the camera if there is one, otherwise with the sample pictures
#   make test    every test, with lint, types and the layers among them
#   make wheel   one file in dist/ that pipx or pip installs on any computer with Python
#   make lint    only lint, types and layers: quick
#   make coverage  that the tests of the rules reach every branch of them
#   make train   composes pictures and trains the eye (hours; needs the extra "train")
#   make attack  kills, power cuts, guessing, hostile files, pictures and requests: some hours (docs/testing.md)
#   make boards  how soon 50 open boards show a hand, and what a visit weighs
#   make bench   how well the eye reads the sample pictures (PICTURES=folder for others), and how fast composed ones

PYTHON   ?= $(shell command -v python3.11 || command -v python3)
CAMERA   ?= $(if $(wildcard /dev/video0),0,datasets/samples)
PICTURES ?= datasets/samples
BIN      := .venv/bin

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test wheel lint coverage attack train bench boards constraints clean

run: .venv/run
	$(BIN)/scorekeeper serve --camera $(CAMERA)

test: .venv/test
	$(BIN)/python -m pytest $(ARGS)

wheel: .venv/test
	$(BIN)/python -m hatchling build --target wheel --directory dist

lint: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

coverage: .venv/test
	$(BIN)/coverage run -m pytest tests/rules
	$(BIN)/coverage report

train: .venv/train
	$(BIN)/python datasets/render_art.py --out datasets/out/art
	$(BIN)/python datasets/make_scenes.py --art datasets/out/art --out datasets/out/scenes --shards 40
	$(BIN)/python datasets/make_scenes.py --art datasets/out/art --out datasets/out/scenes --first 40 --shards 26 --backs
	$(BIN)/python models/train_detector.py models/detector/recipe.toml
	$(BIN)/python models/export_detector.py models/out/detector/last.pt models/detector/detector.onnx \
	    --ranges datasets/out/scenes
	$(BIN)/python models/train_refiner.py models/refiner/recipe.toml
	$(BIN)/python models/train_indices.py models/indices/recipe.toml
	$(BIN)/python models/train_pips.py models/pips/recipe.toml
	$(BIN)/python models/train_down.py models/pips/down.toml pips=models/out/pips/pips.onnx
	$(BIN)/python models/train_around.py models/around/recipe.toml
	$(BIN)/python models/train_beside.py models/beside/recipe.toml
	$(BIN)/python models/train_likeness.py models/likeness/recipe.toml
	$(BIN)/python models/train_evidence.py models/evidence/recipe.toml

bench: .venv/run
	$(BIN)/scorekeeper measure $(PICTURES)
	$(BIN)/python -m scorekeeper.training.bench

attack: export SCOREKEEPER_ATTACK := 1
attack: export SCOREKEEPER_FUZZ := 110
attack: .venv/test
	$(BIN)/python -m pytest -q -rs -o faulthandler_timeout=0 tests/attack tests/web/test_kill.py tests/web/test_fuzz.py \
	    tests/web/test_roles.py tests/web/test_signin.py tests/store/test_frozen.py tests/test_backup.py $(ARGS)
	$(BIN)/python tests/web/attack_signin.py
	$(BIN)/python tests/web/bench_soak.py
	$(BIN)/python tests/web/bench_evening.py

boards: .venv/test
	$(BIN)/python tests/web/bench_boards.py

# Every version that may be installed, read off an environment that was made from pyproject.toml alone.
constraints: export PIP_CONSTRAINT :=
constraints:
	$(PYTHON) -m venv --clear .venv-constraints
	.venv-constraints/bin/pip install --quiet --editable '.[postgres,test,train]'
	{ sed -n '/^#/p' constraints.txt; \
	  .venv-constraints/bin/pip freeze --all --exclude-editable --exclude pip | sed 's/+cpu$$//'; } \
	  > .venv-constraints/pinned
	mv .venv-constraints/pinned constraints.txt
	rm -r .venv-constraints

clean:
	rm -rf .venv dist

.venv/bin/python:
	@echo 'Setting up .venv: once, and it takes a minute or two.'
	$(PYTHON) -m venv .venv

.venv/run: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/pip install --quiet --editable .
	touch $@

.venv/test: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/pip install --quiet --editable '.[test]'
	touch $@ .venv/run

.venv/train: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/pip install --quiet --editable '.[train]'
	touch $@ .venv/run
