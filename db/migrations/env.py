# SPDX-License-Identifier: GPL-3.0-or-later
"""How alembic runs the revisions: on the connection `db.schema` opened, in its transaction."""

from __future__ import annotations

from alembic import context

from db.models import Base

context.configure(connection=context.config.attributes["connection"], target_metadata=Base.metadata)
with context.begin_transaction():
    context.run_migrations()
