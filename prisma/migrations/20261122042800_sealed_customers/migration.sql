-- Each merchant's key for the personal data of its customers.
ALTER TABLE "Merchant" ADD COLUMN "dataKeyId" TEXT, ADD COLUMN "sealedDataKey" TEXT;

-- Customers are kept sealed, and only of orders with insurance. What was stored in clear goes: the app is not released,
-- and the next report of an order brings its customer again.
DROP INDEX "Order_shop_email_idx";
ALTER TABLE "Order" DROP COLUMN "customer", DROP COLUMN "email",
  ADD COLUMN "sealedCustomer" TEXT, ADD COLUMN "emailDigest" TEXT;
CREATE INDEX "Order_shop_emailDigest_idx" ON "Order"("shop", "emailDigest");
