-- Quotes that paid orders get by themselves.
ALTER TABLE "Order" ADD COLUMN "acceptsMarketing" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Order" ADD COLUMN "leadsDecidedAt" TIMESTAMPTZ(3);
ALTER TABLE "Order" ADD COLUMN "leadsDigest" TEXT;

-- Orders that may be due: few of all, and only those of buyers who agreed to be written to.
CREATE INDEX "Order_leads_due" ON "Order"("shop", "paidAt")
  WHERE "acceptsMarketing" AND "leadsDecidedAt" IS NULL AND "cancelledAt" IS NULL;

CREATE TABLE "OrderLead" (
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "lineId" TEXT NOT NULL,
    "unitNumber" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'due',
    "environment" TEXT NOT NULL,
    "productId" TEXT,
    "variantId" TEXT NOT NULL,
    "productTitle" TEXT NOT NULL,
    "priceMinor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "categoryId" TEXT NOT NULL,
    "delayHours" INTEGER NOT NULL,
    "linkId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "leadId" TEXT,
    "expiresOn" TEXT,
    "reason" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sentAt" TIMESTAMPTZ(3),
    "madeAt" TIMESTAMPTZ(3),
    "openedAt" TIMESTAMPTZ(3),
    "withdrawnAt" TIMESTAMPTZ(3),
    "soldAt" TIMESTAMPTZ(3),
    "contractId" TEXT,
    "soldMinor" INTEGER,
    "lookedAt" TIMESTAMPTZ(3),

    CONSTRAINT "OrderLead_pkey" PRIMARY KEY ("shop", "orderId", "lineId", "unitNumber"),
    CONSTRAINT "OrderLead_shop_orderId_fkey" FOREIGN KEY ("shop", "orderId") REFERENCES "Order"("shop", "orderId") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "OrderLead_shop_linkId_key" ON "OrderLead"("shop", "linkId");
CREATE INDEX "OrderLead_shop_state_lookedAt_idx" ON "OrderLead"("shop", "state", "lookedAt");
CREATE INDEX "OrderLead_shop_leadId_idx" ON "OrderLead"("shop", "leadId");

CREATE TABLE "LeadSuppression" (
    "shop" TEXT NOT NULL,
    "emailDigest" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "LeadSuppression_pkey" PRIMARY KEY ("shop", "emailDigest")
);

CREATE TABLE "LeadSettings" (
    "shop" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3),
    "delayHours" INTEGER NOT NULL DEFAULT 24,

    CONSTRAINT "LeadSettings_pkey" PRIMARY KEY ("shop")
);
