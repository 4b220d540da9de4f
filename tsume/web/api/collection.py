# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection, for a store without problems."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from db.errors import StoreError
from db.store import Store
from tsume.collection.adding import add_collection
from tsume.collection.folder import collection_size
from tsume.collection.lines import CollectionError
from tsume.web.api.forms import COLLECTION
from tsume.web.api.parsing import parsed_body
from tsume.web.api.permissions import Permissions
from tsume.web.api.responses import RequestError, json_response
from tsume.web.work.results import json_bytes


class CollectionOffer:
    """Offers the collection to those who may save problems, and adds it to the store."""

    def __init__(self, store: Store, permissions: Permissions) -> None:
        self._store, self._permissions = store, permissions

    def number_for(self, request: Request) -> int:
        """How many problems the page of an empty store offers a client to add; 0 if none."""
        return collection_size() if self._permissions.may_save(request) else 0

    async def add(self, request: Request) -> Response:
        """Add the collection; returns how many of its problems are new."""
        self._permissions.require_saving(request)
        await parsed_body(request, COLLECTION)
        try:
            added = await run_in_threadpool(add_collection, self._store)
        except (CollectionError, StoreError) as error:
            raise RequestError(422, str(error)) from None
        return json_response(json_bytes({"added": len(added)}))
