-- The list of orders is sorted by what was paid for their insurance.
ALTER TABLE "Order" ADD COLUMN "premiumMinor" INTEGER NOT NULL DEFAULT 0;
UPDATE "Order" AS o SET "premiumMinor" = paid.minor
FROM (SELECT shop, "orderId", sum("premiumMinor")::int AS minor FROM "InsuredUnit" GROUP BY shop, "orderId") AS paid
WHERE paid.shop = o.shop AND paid."orderId" = o."orderId";
CREATE INDEX "Order_shop_premiumMinor_orderId_idx" ON "Order" ("shop", "premiumMinor", "orderId");
