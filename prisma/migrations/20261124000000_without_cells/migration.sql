DROP INDEX "Merchant_fenced";
ALTER TABLE "Merchant" DROP COLUMN "fence";
