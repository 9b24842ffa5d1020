-- Customers of quotes are kept sealed. What was stored in clear goes: the app is not released.
DROP INDEX "Lead_shop_customerEmail_idx";
ALTER TABLE "Lead" DROP COLUMN "customerName", DROP COLUMN "customerEmail", DROP COLUMN "subscriptionLink",
  DROP COLUMN "signatureLink",
  ADD COLUMN "sealedCustomer" TEXT, ADD COLUMN "emailDigest" TEXT, ADD COLUMN "nameDigests" TEXT[];
CREATE INDEX "Lead_shop_emailDigest_idx" ON "Lead"("shop", "emailDigest");
