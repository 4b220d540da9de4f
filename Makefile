# `make serve` opens the collection in the browser; `make run` composes five problems of some quality and shows their best;
# `make test` runs the tests that need nothing but Python, `make test-all` also those that start browsers, servers and other
# processes.
# Each makes the environment first (.venv), so nothing else is needed.
.PHONY: serve run test test-all check

serve:
	@scripts/install web
	@.venv/bin/tsume serve --browser

run:
	@scripts/install
	@.venv/bin/tsume generate --moves 5 --count 5 --min-quality 30 --db tsume.db
	@.venv/bin/tsume show best --run last --db tsume.db

test:
	@scripts/install dev
	@scripts/test

test-all:
	@scripts/install dev
	@scripts/test --all

check:
	@scripts/install dev
	@scripts/check
