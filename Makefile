# `make run` composes problems and shows them; `make test` passes the checks' tests.
# Both make the environment first (.venv), so nothing else is needed.
.PHONY: run test check

run:
	@scripts/install
	@.venv/bin/tsume generate --moves 3 --count 5 --db tsume.db
	@.venv/bin/tsume list --moves 3 --sort id --db tsume.db
	@.venv/bin/tsume show 1 --db tsume.db

test:
	@scripts/install dev
	@scripts/test

check:
	@scripts/install dev
	@scripts/check
