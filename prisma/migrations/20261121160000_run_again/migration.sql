-- AlterTable
ALTER TABLE "SyncRun" ADD COLUMN     "againFor" TEXT;

-- CreateIndex
CREATE INDEX "ShopProduct_shop_title_productId_idx" ON "ShopProduct"("shop", "title", "productId");

