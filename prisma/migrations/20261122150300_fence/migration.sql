-- A shop that this database does not serve, now or any more (docs/decisions/0054-cells.md).
ALTER TABLE "Merchant" ADD COLUMN "fence" TEXT;

-- Empty, and free, as long as nobody moves a shop.
CREATE INDEX "Merchant_fenced" ON "Merchant" ("shop") WHERE "fence" IS NOT NULL;
