# `make run` composes five problems of some quality and shows the best; `make serve` opens them in the browser; `make test`
# runs the tests.
# Each makes the environment first (.venv), so nothing else is needed.
.PHONY: run serve test check

COMPOSE = .venv/bin/tsume generate --moves 5 --count 5 --min-quality 30 --db tsume.db

run:
	@scripts/install
	@$(COMPOSE)
	@.venv/bin/tsume show best --db tsume.db

serve:
	@scripts/install web
	@[ -e tsume.db ] || $(COMPOSE)
	@.venv/bin/tsume serve --browser --db tsume.db

test:
	@scripts/install dev
	@scripts/test

check:
	@scripts/install dev
	@scripts/check
