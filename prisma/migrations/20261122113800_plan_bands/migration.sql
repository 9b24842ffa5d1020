-- AlterTable
ALTER TABLE "SyncedVariant" ADD COLUMN "band" TEXT;
