-- Parasol has no installation yet: a change of the schema edits prisma/*.prisma and this file together, here and not in
-- a second migration. test/platform/migrations.server.test.ts compares the two. After the first release this file is fixed.

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "OutgoingMail" (
    "shop" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "orderId" TEXT,
    "draftOrderId" TEXT,
    "sealed" TEXT,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sentAt" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "OutgoingMail_pkey" PRIMARY KEY ("shop","id")
);

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
    "priceMinor" INTEGER NOT NULL,
    "frontMinor" INTEGER,
    "airMinor" INTEGER,
    "airFrom" TEXT,
    "isContradiction" BOOLEAN NOT NULL,

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
    "amountMinor" INTEGER NOT NULL,
    "priceMinor" INTEGER NOT NULL,
    "effectMinor" INTEGER,
    "changedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

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
    "lastProgressAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "AnalyticsImport_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actorKind" TEXT NOT NULL,
    "actorId" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "before" JSONB,
    "after" JSONB,
    "accessHour" TIMESTAMPTZ(3),

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "StaffMember" (
    "shop" TEXT NOT NULL,
    "staffId" TEXT NOT NULL,
    "name" TEXT,
    "isOwner" BOOLEAN NOT NULL DEFAULT false,
    "scopes" TEXT NOT NULL DEFAULT '',
    "appScopes" TEXT NOT NULL DEFAULT '',
    "answeredAt" TIMESTAMPTZ(3),

    CONSTRAINT "StaffMember_pkey" PRIMARY KEY ("shop","staffId")
);

-- CreateTable
CREATE TABLE "Category" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "categoryId" TEXT NOT NULL,
    "marketing" JSONB NOT NULL,
    "legal" JSONB NOT NULL,
    "live" BOOLEAN NOT NULL DEFAULT false,
    "liveProducts" TEXT[],
    "state" TEXT NOT NULL DEFAULT 'offered',
    "runId" TEXT,
    "discoveredAt" TIMESTAMPTZ(3),
    "round" INTEGER NOT NULL DEFAULT 0,
    "error" TEXT,

    CONSTRAINT "Category_pkey" PRIMARY KEY ("shop","environment","categoryId")
);

-- CreateTable
CREATE TABLE "LegalDocument" (
    "shop" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "contentType" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "seenAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LegalDocument_pkey" PRIMARY KEY ("shop","address","sha256")
);

-- CreateTable
CREATE TABLE "OfferTerms" (
    "shop" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "terms" JSONB NOT NULL,

    CONSTRAINT "OfferTerms_pkey" PRIMARY KEY ("shop","sha256")
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
    "priceMinor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "bandMinMinor" INTEGER NOT NULL,
    "bandMaxMinor" INTEGER NOT NULL,
    "billing" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "formula" TEXT,
    "state" TEXT NOT NULL DEFAULT 'offered',
    "problem" TEXT,
    "problemDetail" TEXT,
    "productReferenceIds" TEXT[],
    "firstSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "vanishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Reference_pkey" PRIMARY KEY ("shop","environment","referenceId")
);

-- CreateTable
CREATE TABLE "SyncedProduct" (
    "shop" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "categoryId" TEXT NOT NULL,
    "part" INTEGER NOT NULL,
    "status" TEXT NOT NULL,

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
    "priceMinor" INTEGER NOT NULL,
    "band" TEXT,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SyncedVariant_pkey" PRIMARY KEY ("shop","variantId")
);

-- CreateTable
CREATE TABLE "PublishedCatalogue" (
    "shop" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "installationId" TEXT NOT NULL,

    CONSTRAINT "PublishedCatalogue_pkey" PRIMARY KEY ("shop","key")
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
    "phaseStartedAt" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "cancelRequestedAt" TIMESTAMPTZ(3),
    "followUpReason" TEXT,
    "insurerCalls" INTEGER NOT NULL DEFAULT 0,
    "adminCalls" INTEGER NOT NULL DEFAULT 0,
    "points" INTEGER NOT NULL DEFAULT 0,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "error" TEXT,
    "errorDetail" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "lastProgressAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

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
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SyncProblem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CatalogueSettings" (
    "shop" TEXT NOT NULL,
    "taxable" BOOLEAN NOT NULL DEFAULT false,
    "refreshHours" INTEGER NOT NULL DEFAULT 24,
    "language" TEXT NOT NULL,
    "channels" TEXT[],

    CONSTRAINT "CatalogueSettings_pkey" PRIMARY KEY ("shop")
);

-- CreateTable
CREATE TABLE "CategoryRule" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "conditions" JSONB NOT NULL,
    "categoryId" TEXT,
    "otherCategoryIds" TEXT[],

    CONSTRAINT "CategoryRule_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CategoryOverride" (
    "shop" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "categoryId" TEXT,

    CONSTRAINT "CategoryOverride_pkey" PRIMARY KEY ("shop","productId")
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
    "isBundle" BOOLEAN NOT NULL DEFAULT false,
    "minPriceMinor" INTEGER,
    "categoryId" TEXT,
    "decidedBy" TEXT,
    "writtenKey" TEXT,
    "savedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ShopProduct_pkey" PRIMARY KEY ("shop","productId")
);

-- CreateTable
CREATE TABLE "ShopVariant" (
    "shop" TEXT NOT NULL,
    "variantId" TEXT NOT NULL,
    "productId" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "priceMinor" INTEGER NOT NULL,
    "savedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ShopVariant_pkey" PRIMARY KEY ("shop","variantId")
);

-- CreateTable
CREATE TABLE "Quote" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "quoteId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" TEXT NOT NULL,
    "purchasedOn" TEXT NOT NULL,
    "expiresOn" TEXT NOT NULL,
    "categoryId" TEXT NOT NULL,
    "variantId" TEXT NOT NULL,
    "productTitle" TEXT NOT NULL,
    "priceMinor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "otherProduct" TEXT,
    "chargedBy" TEXT NOT NULL,
    "sealedCustomer" TEXT,
    "emailDigest" TEXT,
    "nameDigests" TEXT[],
    "sellerName" TEXT,
    "offers" JSONB NOT NULL,
    "requestId" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "sentAt" TIMESTAMPTZ(3),
    "contractId" TEXT,
    "searchedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Quote_pkey" PRIMARY KEY ("shop","environment","quoteId")
);

-- CreateTable
CREATE TABLE "OrderQuote" (
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "lineId" TEXT NOT NULL,
    "itemNumber" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "productId" TEXT,
    "productTitle" TEXT NOT NULL,
    "priceMinor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "categoryId" TEXT NOT NULL,
    "delayHours" INTEGER NOT NULL,
    "touchpoint" TEXT,
    "linkId" TEXT NOT NULL,
    "quoteId" TEXT,
    "expiresOn" TEXT,
    "reason" TEXT,
    "openedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "soldAt" TIMESTAMPTZ(3),
    "contractId" TEXT,
    "soldMinor" INTEGER,
    "soldTitle" TEXT,
    "soldUntil" TEXT,

    CONSTRAINT "OrderQuote_pkey" PRIMARY KEY ("shop","orderId","lineId","itemNumber")
);

-- CreateTable
CREATE TABLE "QuoteSuppression" (
    "shop" TEXT NOT NULL,
    "emailDigest" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "QuoteSuppression_pkey" PRIMARY KEY ("shop","emailDigest")
);

-- CreateTable
CREATE TABLE "QuoteSettings" (
    "shop" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3),
    "delayHours" INTEGER NOT NULL DEFAULT 24,
    "insureDays" INTEGER NOT NULL DEFAULT 30,

    CONSTRAINT "QuoteSettings_pkey" PRIMARY KEY ("shop")
);

-- CreateTable
CREATE TABLE "Merchant" (
    "shop" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "currency" TEXT NOT NULL DEFAULT '',
    "country" TEXT NOT NULL DEFAULT '',
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "locale" TEXT NOT NULL DEFAULT 'en',
    "environment" TEXT NOT NULL DEFAULT 'test',
    "environmentSince" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "nextEnvironment" TEXT,
    "orderAccess" TEXT NOT NULL DEFAULT 'unknown',
    "hasPlusFeatures" BOOLEAN NOT NULL DEFAULT false,
    "installedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "uninstalledAt" TIMESTAMPTZ(3),
    "canFulfil" BOOLEAN NOT NULL DEFAULT false,
    "canWriteOrders" BOOLEAN NOT NULL DEFAULT false,
    "canWriteDrafts" BOOLEAN NOT NULL DEFAULT false,
    "staffLockedUntil" TIMESTAMPTZ(3),
    "eraseAt" TIMESTAMPTZ(3),
    "dataKeyId" TEXT,
    "sealedDataKey" TEXT,
    "sellingPausedAt" TIMESTAMPTZ(3),
    "accountUrl" TEXT,

    CONSTRAINT "Merchant_pkey" PRIMARY KEY ("shop")
);

-- CreateTable
CREATE TABLE "Connection" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "storeId" TEXT NOT NULL,
    "sealedToken" TEXT NOT NULL,
    "tokenSetAt" TIMESTAMPTZ(3) NOT NULL,
    "sealedOrganisationToken" TEXT,
    "organisationTokenSetAt" TIMESTAMPTZ(3),
    "checkedAt" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "phoneNumber" TEXT NOT NULL DEFAULT 'optional',
    "statusWords" JSONB NOT NULL DEFAULT '{}',
    "pointsOfSale" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "Connection_pkey" PRIMARY KEY ("shop","environment")
);

-- CreateTable
CREATE TABLE "ConnectedStore" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "storeId" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3),

    CONSTRAINT "ConnectedStore_pkey" PRIMARY KEY ("shop","environment")
);

-- CreateTable
CREATE TABLE "StorefrontSettings" (
    "shop" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "digest" TEXT,
    "installationId" TEXT,
    "checkoutDigests" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "StorefrontSettings_pkey" PRIMARY KEY ("shop")
);

-- CreateTable
CREATE TABLE "ConsentText" (
    "shop" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "ConsentText_pkey" PRIMARY KEY ("shop","version")
);

-- CreateTable
CREATE TABLE "Order" (
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "purchasedAt" TIMESTAMPTZ(3) NOT NULL,
    "changedAt" TIMESTAMPTZ(3) NOT NULL,
    "paidAt" TIMESTAMPTZ(3),
    "hasOpenBalance" BOOLEAN NOT NULL DEFAULT false,
    "cancelledAt" TIMESTAMPTZ(3),
    "currency" TEXT NOT NULL,
    "language" TEXT,
    "premiumMinor" INTEGER NOT NULL DEFAULT 0,
    "paymentMethod" TEXT NOT NULL,
    "salesChannel" TEXT NOT NULL,
    "sealedCustomer" TEXT,
    "sealedConsents" TEXT,
    "erasedAt" TIMESTAMPTZ(3),
    "emailDigest" TEXT,
    "customerDigest" TEXT,
    "environment" TEXT NOT NULL,
    "salesRecordStatus" TEXT NOT NULL DEFAULT 'none',
    "revision" INTEGER NOT NULL DEFAULT 1,
    "coverDigest" TEXT,
    "acceptsMarketing" BOOLEAN NOT NULL DEFAULT false,
    "quotesDecidedAt" TIMESTAMPTZ(3),
    "quotesDigest" TEXT,
    "dueAt" TIMESTAMPTZ(3),
    "leaseHolder" TEXT,
    "leaseExpiresAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Order_pkey" PRIMARY KEY ("shop","orderId")
);

-- CreateTable
CREATE TABLE "OrderLine" (
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "lineId" TEXT NOT NULL,
    "pairId" TEXT NOT NULL,
    "productId" TEXT,
    "variantId" TEXT,
    "title" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "currentQuantity" INTEGER NOT NULL,
    "fulfilledQuantity" INTEGER NOT NULL DEFAULT 0,
    "requiresShipping" BOOLEAN NOT NULL DEFAULT true,
    "listPriceMinor" INTEGER NOT NULL,
    "priceMinor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "categoryId" TEXT NOT NULL,
    "insuranceOffered" BOOLEAN NOT NULL,
    "insuranceSelected" BOOLEAN NOT NULL,
    "offeredAt" TEXT,
    "productFormat" TEXT,

    CONSTRAINT "OrderLine_pkey" PRIMARY KEY ("shop","orderId","lineId")
);

-- CreateTable
CREATE TABLE "OrderEvent" (
    "id" BIGSERIAL NOT NULL,
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "OrderEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "InsuredItem" (
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "lineId" TEXT NOT NULL,
    "itemNumber" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "wanted" BOOLEAN NOT NULL,
    "offerReferenceId" TEXT NOT NULL,
    "planTitle" TEXT NOT NULL,
    "termMonths" INTEGER,
    "offerPriceMinor" INTEGER NOT NULL,
    "premiumMinor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "insuredLineId" TEXT,
    "insuredTitle" TEXT,
    "insuredPriceMinor" INTEGER,
    "insuredCurrency" TEXT,
    "touchpoint" TEXT,
    "contractId" TEXT,
    "contractStatus" TEXT,
    "contractPriceMinor" INTEGER,
    "contractCurrency" TEXT,
    "activatesOn" TEXT,
    "expiresOn" TEXT,
    "unclearContractId" TEXT,
    "insuredAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "contractEndedAt" TIMESTAMPTZ(3),
    "withdrawnAt" TIMESTAMPTZ(3),
    "fulfilledAt" TIMESTAMPTZ(3),
    "changedAt" TIMESTAMPTZ(3) NOT NULL,
    "comparedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "InsuredItem_pkey" PRIMARY KEY ("shop","orderId","lineId","itemNumber")
);

-- CreateTable
CREATE TABLE "PremiumMovement" (
    "id" BIGSERIAL NOT NULL,
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "lineId" TEXT NOT NULL,
    "itemNumber" INTEGER NOT NULL,
    "environment" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "amountMinor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "happenedAt" TIMESTAMPTZ(3) NOT NULL,
    "knownAt" TIMESTAMPTZ(3) NOT NULL,
    "closedIn" TEXT,

    CONSTRAINT "PremiumMovement_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UrgentReport" (
    "shop" TEXT NOT NULL,
    "told" TEXT[],
    "sentAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UrgentReport_pkey" PRIMARY KEY ("shop")
);

-- CreateTable
CREATE TABLE "ClosedMonth" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "closedAt" TIMESTAMPTZ(3) NOT NULL,
    "closedBy" TEXT NOT NULL,
    "settlement" JSONB NOT NULL,

    CONSTRAINT "ClosedMonth_pkey" PRIMARY KEY ("shop","environment","month")
);

-- CreateTable
CREATE TABLE "ClosedMonthFile" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "fileName" TEXT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "ClosedMonthFile_pkey" PRIMARY KEY ("shop","environment","month","name")
);

-- CreateTable
CREATE TABLE "ClosedCommission" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "commissionId" TEXT NOT NULL,
    "closedMinor" INTEGER NOT NULL,

    CONSTRAINT "ClosedCommission_pkey" PRIMARY KEY ("shop","environment","commissionId")
);

-- CreateTable
CREATE TABLE "Task" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "orderId" TEXT,
    "lineId" TEXT,
    "itemNumber" INTEGER,
    "details" JSONB NOT NULL,
    "dueOn" TEXT NOT NULL DEFAULT '9999-12-31',
    "atStakeMinor" INTEGER NOT NULL DEFAULT 0,
    "currency" TEXT,
    "openedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closedAt" TIMESTAMPTZ(3),
    "outcome" TEXT,

    CONSTRAINT "Task_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ReconciliationRun" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "from" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "reached" TIMESTAMPTZ(3),
    "total" INTEGER,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ReconciliationRun_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AccountPause" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AccountPause_pkey" PRIMARY KEY ("shop","environment")
);

-- CreateTable
CREATE TABLE "WaitingOrder" (
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WaitingOrder_pkey" PRIMARY KEY ("shop","orderId")
);

-- CreateTable
CREATE TABLE "ContractClaims" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "contractId" TEXT NOT NULL,
    "claims" JSONB NOT NULL,
    "announced" JSONB,
    "readAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ContractClaims_pkey" PRIMARY KEY ("shop","environment","contractId")
);

-- CreateTable
CREATE TABLE "ClaimsCheck" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "checkedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ClaimsCheck_pkey" PRIMARY KEY ("shop","environment")
);

-- CreateTable
CREATE TABLE "Restore" (
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Restore_pkey" PRIMARY KEY ("at")
);

-- CreateTable
CREATE TABLE "MerchantSettings" (
    "shop" TEXT NOT NULL,
    "settings" JSONB NOT NULL,

    CONSTRAINT "MerchantSettings_pkey" PRIMARY KEY ("shop")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "refreshLockedUntil" TIMESTAMPTZ(3),
    "tokenIssuedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Webhook" (
    "shop" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "topic" TEXT NOT NULL,
    "orderId" TEXT,
    "webhookId" TEXT NOT NULL,
    "eventId" TEXT NOT NULL,
    "triggeredAt" TIMESTAMPTZ(3),
    "receivedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sealedBody" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'received',
    "doneAt" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("shop","id")
);

-- CreateIndex
CREATE INDEX "OutgoingMail_shop_orderId_idx" ON "OutgoingMail"("shop", "orderId");

-- CreateIndex
CREATE INDEX "OutgoingMail_shop_draftOrderId_idx" ON "OutgoingMail"("shop", "draftOrderId");

-- CreateIndex
CREATE INDEX "OrganisationSale_shop_organisation_date_saleId_idx" ON "OrganisationSale"("shop", "organisation", "date", "saleId");

-- CreateIndex
CREATE INDEX "OrganisationSale_shop_organisation_storeId_date_saleId_idx" ON "OrganisationSale"("shop", "organisation", "storeId", "date", "saleId");

-- CreateIndex
CREATE INDEX "OrganisationCommission_shop_organisation_date_commissionId_idx" ON "OrganisationCommission"("shop", "organisation", "date", "commissionId");

-- CreateIndex
CREATE INDEX "AnalyticsImport_shop_organisation_createdAt_idx" ON "AnalyticsImport"("shop", "organisation", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "AnalyticsImport_shop_organisation_active_key" ON "AnalyticsImport"("shop", "organisation", "active");

-- CreateIndex
CREATE INDEX "AuditEntry_shop_at_id_idx" ON "AuditEntry"("shop", "at", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_shop_action_at_id_idx" ON "AuditEntry"("shop", "action", "at", "id");

-- CreateIndex
CREATE INDEX "AuditEntry_shop_actorId_at_id_idx" ON "AuditEntry"("shop", "actorId", "at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "AuditEntry_shop_actorId_action_subject_accessHour_key" ON "AuditEntry"("shop", "actorId", "action", "subject", "accessHour");

-- CreateIndex
CREATE INDEX "Reference_in_order" ON "Reference"("shop", "environment", "categoryId", "termMonths", "bandMinMinor", "referenceId");

-- CreateIndex
CREATE INDEX "SyncedProduct_shop_environment_categoryId_idx" ON "SyncedProduct"("shop", "environment", "categoryId");

-- CreateIndex
CREATE INDEX "SyncedVariant_shop_environment_referenceId_idx" ON "SyncedVariant"("shop", "environment", "referenceId");

-- CreateIndex
CREATE INDEX "SyncedVariant_shop_productId_idx" ON "SyncedVariant"("shop", "productId");

-- CreateIndex
CREATE INDEX "SyncRun_shop_createdAt_id_idx" ON "SyncRun"("shop", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "SyncRun_shop_kind_active_key" ON "SyncRun"("shop", "kind", "active");

-- CreateIndex
CREATE INDEX "SyncProblem_shop_runId_idx" ON "SyncProblem"("shop", "runId");

-- CreateIndex
CREATE INDEX "CategoryRule_shop_position_idx" ON "CategoryRule"("shop", "position");

-- CreateIndex
CREATE INDEX "ShopProduct_shop_categoryId_idx" ON "ShopProduct"("shop", "categoryId");

-- CreateIndex
CREATE INDEX "ShopProduct_shop_title_productId_idx" ON "ShopProduct"("shop", "title", "productId");

-- CreateIndex
CREATE INDEX "ShopVariant_shop_productId_idx" ON "ShopVariant"("shop", "productId");

-- CreateIndex
CREATE INDEX "ShopVariant_shop_priceMinor_idx" ON "ShopVariant"("shop", "priceMinor");

-- CreateIndex
CREATE INDEX "Quote_shop_environment_createdAt_quoteId_idx" ON "Quote"("shop", "environment", "createdAt", "quoteId");

-- CreateIndex
CREATE INDEX "Quote_shop_emailDigest_idx" ON "Quote"("shop", "emailDigest");

-- CreateIndex
CREATE UNIQUE INDEX "Quote_shop_environment_requestId_key" ON "Quote"("shop", "environment", "requestId");

-- CreateIndex
CREATE INDEX "OrderQuote_shop_quoteId_idx" ON "OrderQuote"("shop", "quoteId");

-- CreateIndex
CREATE UNIQUE INDEX "OrderQuote_shop_linkId_key" ON "OrderQuote"("shop", "linkId");

-- CreateIndex
CREATE INDEX "Order_shop_purchasedAt_orderId_idx" ON "Order"("shop", "purchasedAt", "orderId");

-- CreateIndex
CREATE INDEX "Order_shop_premiumMinor_orderId_idx" ON "Order"("shop", "premiumMinor", "orderId");

-- CreateIndex
CREATE INDEX "Order_shop_emailDigest_idx" ON "Order"("shop", "emailDigest");

-- CreateIndex
CREATE INDEX "Order_shop_customerDigest_idx" ON "Order"("shop", "customerDigest");

-- CreateIndex
CREATE INDEX "Order_shop_name_idx" ON "Order"("shop", "name");

-- CreateIndex
CREATE INDEX "InsuredItem_shop_state_idx" ON "InsuredItem"("shop", "state");

-- CreateIndex
CREATE UNIQUE INDEX "OrderEvent_shop_orderId_key_key" ON "OrderEvent"("shop", "orderId", "key");

-- CreateIndex
CREATE INDEX "OrderEvent_shop_orderId_id_idx" ON "OrderEvent"("shop", "orderId", "id");

-- CreateIndex
CREATE INDEX "OrderEvent_shop_at_id_idx" ON "OrderEvent"("shop", "at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "PremiumMovement_shop_orderId_lineId_itemNumber_kind_knownAt_key" ON "PremiumMovement"("shop", "orderId", "lineId", "itemNumber", "kind", "knownAt");

-- CreateIndex
CREATE INDEX "PremiumMovement_shop_environment_happenedAt_idx" ON "PremiumMovement"("shop", "environment", "happenedAt");

-- CreateIndex
CREATE INDEX "PremiumMovement_shop_environment_knownAt_idx" ON "PremiumMovement"("shop", "environment", "knownAt");

-- CreateIndex
CREATE INDEX "OrganisationSale_shop_organisation_cancelledOn_idx" ON "OrganisationSale"("shop", "organisation", "cancelledOn");

-- CreateIndex
CREATE INDEX "OrganisationCommission_shop_organisation_saleId_idx" ON "OrganisationCommission"("shop", "organisation", "saleId");

-- CreateIndex
CREATE INDEX "OrganisationCommission_shop_organisation_changedAt_idx" ON "OrganisationCommission"("shop", "organisation", "changedAt");

-- CreateIndex
CREATE INDEX "Task_shop_openedAt_id_idx" ON "Task"("shop", "openedAt", "id");

-- CreateIndex
CREATE INDEX "Task_shop_orderId_idx" ON "Task"("shop", "orderId");

-- CreateIndex
CREATE UNIQUE INDEX "Task_shop_key_key" ON "Task"("shop", "key");

-- CreateIndex
CREATE INDEX "ReconciliationRun_shop_kind_createdAt_idx" ON "ReconciliationRun"("shop", "kind", "createdAt" DESC);

-- CreateIndex
CREATE INDEX "WaitingOrder_shop_environment_since_idx" ON "WaitingOrder"("shop", "environment", "since");

-- CreateIndex
CREATE INDEX "Session_shop_idx" ON "Session"("shop");

-- CreateIndex
CREATE INDEX "Webhook_shop_receivedAt_id_idx" ON "Webhook"("shop", "receivedAt", "id");

-- CreateIndex
CREATE INDEX "Webhook_shop_state_receivedAt_idx" ON "Webhook"("shop", "state", "receivedAt");

-- CreateIndex
CREATE INDEX "Webhook_shop_orderId_idx" ON "Webhook"("shop", "orderId");

-- AddForeignKey
ALTER TABLE "PremiumMovement" ADD CONSTRAINT "PremiumMovement_shop_orderId_fkey" FOREIGN KEY ("shop", "orderId") REFERENCES "Order"("shop", "orderId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ClosedMonthFile" ADD CONSTRAINT "ClosedMonthFile_shop_environment_month_fkey" FOREIGN KEY ("shop", "environment", "month") REFERENCES "ClosedMonth"("shop", "environment", "month") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OrderQuote" ADD CONSTRAINT "OrderQuote_shop_orderId_fkey" FOREIGN KEY ("shop", "orderId") REFERENCES "Order"("shop", "orderId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "OrderLine" ADD CONSTRAINT "OrderLine_shop_orderId_fkey" FOREIGN KEY ("shop", "orderId") REFERENCES "Order"("shop", "orderId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InsuredItem" ADD CONSTRAINT "InsuredItem_shop_orderId_fkey" FOREIGN KEY ("shop", "orderId") REFERENCES "Order"("shop", "orderId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WaitingOrder" ADD CONSTRAINT "WaitingOrder_shop_orderId_fkey" FOREIGN KEY ("shop", "orderId") REFERENCES "Order"("shop", "orderId") ON DELETE CASCADE ON UPDATE CASCADE;


-- What Prisma's schema cannot say: partial indexes, an index on an expression, a storage parameter, triggers.

-- Stored webhooks. Few of them still have a body: retention and erasure search for those.
CREATE INDEX "Webhook_kept_bodies" ON "Webhook"("shop", "id") WHERE "sealedBody" <> '';
CREATE INDEX "Webhook_old_bodies" ON "Webhook"("shop", "receivedAt") WHERE "sealedBody" <> '';

-- Pending product webhooks, which one job processes per shop, and old ones: they are deleted before those of orders.
CREATE INDEX "Webhook_waiting_products" ON "Webhook"("shop", "id")
WHERE "state" <> 'done' AND "topic" LIKE 'products/%';
CREATE INDEX "Webhook_old_products" ON "Webhook"("shop", "receivedAt")
WHERE "state" = 'done' AND "topic" LIKE 'products/%';

-- Every webhook is emptied once and deleted once. PostgreSQL's default, a fifth of the table, is five months of them.
ALTER TABLE "Webhook" SET (autovacuum_vacuum_scale_factor = 0.02);

-- Items without a contract yet: few of all, counted by the metrics.
CREATE INDEX "InsuredItem_open" ON "InsuredItem"("shop", "orderId")
WHERE "state" IN ('pending', 'creating', 'unknown');

-- Contracts in force, those that were compared longest ago first.
CREATE INDEX "InsuredItem_compared" ON "InsuredItem"("shop", "comparedAt")
WHERE "contractId" IS NOT NULL AND "state" IN ('active', 'attention');

-- A contract is one item's: cancelling it for one order must not end another's.
CREATE UNIQUE INDEX "InsuredItem_contract" ON "InsuredItem"("shop", "contractId", "environment")
WHERE "contractId" IS NOT NULL;

-- What ended in a month is settled with it, also without a movement of money.
CREATE INDEX "InsuredItem_ended" ON "InsuredItem"("shop", "environment", "endedAt") WHERE "endedAt" IS NOT NULL;
CREATE INDEX "InsuredItem_contractEnded" ON "InsuredItem"("shop", "environment", "contractEndedAt")
WHERE "contractEndedAt" IS NOT NULL;
CREATE INDEX "InsuredItem_unclearContract" ON "InsuredItem"("shop", "unclearContractId")
WHERE "unclearContractId" IS NOT NULL;

-- Contracts of quotes without an order.
CREATE INDEX "Quote_contract" ON "Quote"("shop", "contractId") WHERE "contractId" IS NOT NULL;

-- Reconciliation runs that have not ended: the metrics search for the one that lags most.
CREATE INDEX "ReconciliationRun_open" ON "ReconciliationRun"("kind") WHERE "state" IN ('queued', 'running');

-- Open tasks, by their legal deadline, then by what customers paid, then by age.
CREATE INDEX "Task_open" ON "Task"("shop", "dueOn", (-"atStakeMinor"), "openedAt", "id") WHERE "closedAt" IS NULL;

-- Orders that the reconciler has to look at again at a time.
CREATE INDEX "Order_due" ON "Order"("shop", "dueAt") WHERE "dueAt" IS NOT NULL;

-- A contract is the sale of one quote: two jobs at the same moment could both take it.
CREATE UNIQUE INDEX "OrderQuote_contract" ON "OrderQuote"("shop", "environment", "contractId")
WHERE "contractId" IS NOT NULL;

-- The audit log and the books of orders are append-only. A transaction deletes rows only after it has named their
-- shop (app/platform/erase-shop.server.ts): the erasure of a shop, and the end of the retention period.
CREATE FUNCTION refuse_history_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF current_setting('parasol.erased_shop', true) = OLD.shop THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "AuditEntry_append_only" BEFORE UPDATE OR DELETE ON "AuditEntry"
FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER "AuditEntry_not_truncated" BEFORE TRUNCATE ON "AuditEntry"
FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER "OrderEvent_append_only" BEFORE UPDATE OR DELETE ON "OrderEvent"
FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
