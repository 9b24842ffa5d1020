-- CreateTable
CREATE TABLE "OrganisationSale" (
    "shop" TEXT NOT NULL,
    "organisation" TEXT NOT NULL,
    "saleId" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "cancelledOn" TEXT,
    "monthly" BOOLEAN NOT NULL,
    "store" TEXT NOT NULL,
    "storeId" TEXT NOT NULL,
    "storeExternalId" TEXT NOT NULL,
    "productReferenceId" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "seller" TEXT NOT NULL,
    "priceCents" INTEGER NOT NULL,
    "frontCents" INTEGER,
    "airCents" INTEGER,

    CONSTRAINT "OrganisationSale_pkey" PRIMARY KEY ("shop","organisation","saleId")
);

-- CreateTable
CREATE TABLE "OrganisationCommission" (
    "shop" TEXT NOT NULL,
    "organisation" TEXT NOT NULL,
    "commissionId" TEXT NOT NULL,
    "date" TEXT NOT NULL,
    "store" TEXT NOT NULL,
    "storeId" TEXT NOT NULL,
    "storeExternalId" TEXT NOT NULL,
    "saleId" TEXT NOT NULL,
    "monthly" BOOLEAN NOT NULL,
    "billingType" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "amountCents" INTEGER NOT NULL,
    "priceCents" INTEGER NOT NULL,

    CONSTRAINT "OrganisationCommission_pkey" PRIMARY KEY ("shop","organisation","commissionId")
);

-- CreateTable
CREATE TABLE "AnalyticsImport" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "organisation" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "since" TEXT,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "active" BOOLEAN DEFAULT true,
    "resource" TEXT NOT NULL DEFAULT 'sales',
    "page" INTEGER NOT NULL DEFAULT 0,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "touchedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "AnalyticsImport_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "OrganisationSale_shop_organisation_date_saleId_idx" ON "OrganisationSale"("shop", "organisation", "date", "saleId");

-- CreateIndex
CREATE INDEX "OrganisationCommission_shop_organisation_date_commissionId_idx" ON "OrganisationCommission"("shop", "organisation", "date", "commissionId");

-- CreateIndex
CREATE INDEX "AnalyticsImport_shop_organisation_createdAt_idx" ON "AnalyticsImport"("shop", "organisation", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "AnalyticsImport_shop_organisation_active_key" ON "AnalyticsImport"("shop", "organisation", "active");

