-- Refunds and edits that were applied from their webhook alone.
ALTER TABLE "Order" ADD COLUMN "changes" TEXT[] DEFAULT ARRAY[]::TEXT[];
