-- Bodies that are old enough to be erased, without reading all that are kept.
CREATE INDEX "InboxEvent_old_bodies" ON "InboxEvent" (shop, "receivedAt") WHERE "sealedBody" <> '';
