-- Bodies of webhooks are kept sealed. What was stored in clear goes: the app is not released, and reconciliation fetches
-- what orders still need.
ALTER TABLE "InboxEvent" RENAME COLUMN "body" TO "sealedBody";
UPDATE "InboxEvent" SET "sealedBody" = '';

-- Few bodies are kept, and retention and erasure look for them.
CREATE INDEX "InboxEvent_kept_bodies" ON "InboxEvent" (shop, id) WHERE "sealedBody" <> '';
