-- As of when a row is true, instead of which run brought it: two reads of a shop's products may be under way at once.
ALTER TABLE "ShopProduct" ADD COLUMN "savedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "ShopProduct" DROP COLUMN "webhookSavedAt", DROP COLUMN "runId";
ALTER TABLE "ShopVariant" ADD COLUMN "savedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "ShopVariant" DROP COLUMN "runId";
