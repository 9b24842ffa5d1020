-- CreateTable
CREATE TABLE "Category" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "categoryId" TEXT NOT NULL,
    "marketing" JSONB NOT NULL,
    "legal" JSONB NOT NULL,
    "live" BOOLEAN NOT NULL DEFAULT false,
    "state" TEXT NOT NULL DEFAULT 'offered',
    "runId" TEXT,
    "discoveredAt" TIMESTAMP(3),
    "round" INTEGER NOT NULL DEFAULT 0,
    "calls" INTEGER NOT NULL DEFAULT 0,
    "bands" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,

    CONSTRAINT "Category_pkey" PRIMARY KEY ("shop","environment","categoryId")
);

-- CreateTable
CREATE TABLE "Reference" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "referenceId" TEXT NOT NULL,
    "contractId" TEXT,
    "categoryId" TEXT NOT NULL,
    "termMonths" INTEGER NOT NULL,
    "termLength" TEXT NOT NULL,
    "priceCents" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "bandMinCents" INTEGER NOT NULL,
    "bandMaxCents" INTEGER NOT NULL,
    "billing" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'offered',
    "problem" TEXT,
    "problemDetail" TEXT,
    "productReferenceId" TEXT,
    "firstSeenAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "vanishedAt" TIMESTAMP(3),

    CONSTRAINT "Reference_pkey" PRIMARY KEY ("shop","environment","referenceId")
);

-- CreateTable
CREATE TABLE "SyncedProduct" (
    "shop" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "categoryId" TEXT NOT NULL,
    "part" INTEGER NOT NULL,
    "written" JSONB NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SyncedProduct_pkey" PRIMARY KEY ("shop","productId")
);

-- CreateTable
CREATE TABLE "SyncedVariant" (
    "shop" TEXT NOT NULL,
    "variantId" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "referenceId" TEXT NOT NULL,
    "onSale" BOOLEAN NOT NULL,
    "priceCents" INTEGER NOT NULL,
    "written" JSONB NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "SyncedVariant_pkey" PRIMARY KEY ("shop","variantId")
);

-- CreateTable
CREATE TABLE "WrittenCatalogue" (
    "shop" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "installationId" TEXT NOT NULL,
    "writtenAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "WrittenCatalogue_pkey" PRIMARY KEY ("shop","key")
);

-- CreateTable
CREATE TABLE "SyncRun" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "active" BOOLEAN DEFAULT true,
    "phase" TEXT NOT NULL DEFAULT 'start',
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "phaseStartedAt" TIMESTAMP(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "cancelRequestedAt" TIMESTAMP(3),
    "serviceCalls" INTEGER NOT NULL DEFAULT 0,
    "adminCalls" INTEGER NOT NULL DEFAULT 0,
    "points" INTEGER NOT NULL DEFAULT 0,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "error" TEXT,
    "errorDetail" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMP(3),
    "touchedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMP(3),

    CONSTRAINT "SyncRun_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SyncProblem" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "categoryId" TEXT,
    "referenceId" TEXT,
    "productId" TEXT,
    "problem" TEXT NOT NULL,
    "detail" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SyncProblem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ManualEdit" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "variantId" TEXT,
    "field" TEXT NOT NULL,
    "ours" TEXT NOT NULL,
    "theirs" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "noticedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ManualEdit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CatalogueSettings" (
    "shop" TEXT NOT NULL,
    "onManualEdit" TEXT NOT NULL DEFAULT 'restore',
    "taxable" BOOLEAN NOT NULL DEFAULT false,
    "refreshHours" INTEGER NOT NULL DEFAULT 24,
    "language" TEXT NOT NULL,
    "publicationId" TEXT,

    CONSTRAINT "CatalogueSettings_pkey" PRIMARY KEY ("shop")
);

-- CreateTable
CREATE TABLE "CategoryRule" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "conditions" JSONB NOT NULL,
    "categoryId" TEXT,

    CONSTRAINT "CategoryRule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProductOverride" (
    "shop" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "categoryId" TEXT,

    CONSTRAINT "ProductOverride_pkey" PRIMARY KEY ("shop","productId")
);

-- CreateTable
CREATE TABLE "ShopProduct" (
    "shop" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "handle" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "productType" TEXT NOT NULL,
    "vendor" TEXT NOT NULL,
    "tags" TEXT[],
    "collections" TEXT[],
    "minPriceCents" INTEGER,
    "categoryId" TEXT,
    "decidedBy" TEXT,
    "writtenKey" TEXT,
    "runId" TEXT,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "ShopProduct_pkey" PRIMARY KEY ("shop","productId")
);

-- CreateTable
CREATE TABLE "ShopVariant" (
    "shop" TEXT NOT NULL,
    "variantId" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "priceCents" INTEGER NOT NULL,
    "runId" TEXT,

    CONSTRAINT "ShopVariant_pkey" PRIMARY KEY ("shop","variantId")
);

-- CreateIndex
CREATE INDEX "Reference_shop_environment_categoryId_idx" ON "Reference"("shop", "environment", "categoryId");

-- CreateIndex
CREATE INDEX "SyncedProduct_shop_environment_categoryId_idx" ON "SyncedProduct"("shop", "environment", "categoryId");

-- CreateIndex
CREATE INDEX "SyncedVariant_shop_environment_referenceId_idx" ON "SyncedVariant"("shop", "environment", "referenceId");

-- CreateIndex
CREATE INDEX "SyncedVariant_shop_productId_idx" ON "SyncedVariant"("shop", "productId");

-- CreateIndex
CREATE INDEX "SyncRun_shop_createdAt_idx" ON "SyncRun"("shop", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "SyncRun_shop_kind_active_key" ON "SyncRun"("shop", "kind", "active");

-- CreateIndex
CREATE INDEX "SyncProblem_shop_runId_idx" ON "SyncProblem"("shop", "runId");

-- CreateIndex
CREATE INDEX "ManualEdit_shop_noticedAt_idx" ON "ManualEdit"("shop", "noticedAt");

-- CreateIndex
CREATE INDEX "CategoryRule_shop_position_idx" ON "CategoryRule"("shop", "position");

-- CreateIndex
CREATE INDEX "ShopProduct_shop_categoryId_idx" ON "ShopProduct"("shop", "categoryId");

-- CreateIndex
CREATE INDEX "ShopVariant_shop_productId_idx" ON "ShopVariant"("shop", "productId");

-- CreateIndex
CREATE INDEX "ShopVariant_shop_priceCents_idx" ON "ShopVariant"("shop", "priceCents");

