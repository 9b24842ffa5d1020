-- AlterTable
ALTER TABLE "InboxEvent" ADD COLUMN     "orderId" TEXT;

-- CreateIndex
CREATE INDEX "InboxEvent_shop_orderId_idx" ON "InboxEvent"("shop", "orderId");

