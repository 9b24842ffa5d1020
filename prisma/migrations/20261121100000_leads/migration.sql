-- CreateTable
CREATE TABLE "Lead" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "leadId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" TEXT NOT NULL,
    "purchasedOn" TEXT NOT NULL,
    "expiresOn" TEXT NOT NULL,
    "categoryId" TEXT NOT NULL,
    "variantId" TEXT NOT NULL,
    "productTitle" TEXT NOT NULL,
    "priceMinor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "subscriptionLink" TEXT NOT NULL,
    "signatureLink" TEXT,
    "chargedBy" TEXT NOT NULL,
    "customerName" TEXT,
    "customerEmail" TEXT,
    "sellerName" TEXT,
    "offers" JSONB NOT NULL,

    CONSTRAINT "Lead_pkey" PRIMARY KEY ("shop","environment","leadId")
);

-- CreateIndex
CREATE INDEX "Lead_shop_environment_createdAt_leadId_idx" ON "Lead"("shop", "environment", "createdAt", "leadId");

-- CreateIndex
CREATE INDEX "Lead_shop_customerEmail_idx" ON "Lead"("shop", "customerEmail");

