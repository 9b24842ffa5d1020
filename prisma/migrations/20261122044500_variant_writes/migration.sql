-- What a sync is writing, until it is recorded; and which products a webhook saved while a bulk read was under way.
ALTER TABLE "SyncedVariant" ADD COLUMN "pending" JSONB;
ALTER TABLE "ShopProduct" ADD COLUMN "webhookSavedAt" TIMESTAMPTZ(3);
