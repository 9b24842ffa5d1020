-- AlterTable
ALTER TABLE "Merchant" ADD COLUMN "sellingPausedAt" TIMESTAMPTZ(3);
ALTER TABLE "Merchant" ADD COLUMN "accountUrl" TEXT;
