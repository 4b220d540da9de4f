# `make run` composes five problems and shows the best; `make test` passes the checks' tests.
# Both make the environment first (.venv), so nothing else is needed.
.PHONY: run test check

run:
	@scripts/install
	@.venv/bin/tsume generate --moves 5 --count 5 --db tsume.db
	@.venv/bin/tsume show best --db tsume.db

test:
	@scripts/install dev
	@scripts/test

check:
	@scripts/install dev
	@scripts/check
