-- CreateTable
CREATE TABLE "Order" (
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "purchasedAt" TIMESTAMPTZ(3) NOT NULL,
    "changedAt" TIMESTAMPTZ(3) NOT NULL,
    "paidAt" TIMESTAMPTZ(3),
    "cancelledAt" TIMESTAMPTZ(3),
    "currency" TEXT NOT NULL,
    "paymentMethod" TEXT NOT NULL,
    "salesChannel" TEXT NOT NULL,
    "customer" JSONB,
    "erased" BOOLEAN NOT NULL DEFAULT false,
    "email" TEXT,
    "environment" TEXT NOT NULL,
    "record" TEXT NOT NULL DEFAULT 'none',
    "facts" INTEGER NOT NULL DEFAULT 1,
    "leaseBy" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Order_pkey" PRIMARY KEY ("shop","orderId")
);

-- CreateTable
CREATE TABLE "OrderLine" (
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "lineId" TEXT NOT NULL,
    "productId" TEXT,
    "variantId" TEXT,
    "title" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "currentQuantity" INTEGER NOT NULL,
    "priceMinor" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "categoryId" TEXT NOT NULL,
    "insuranceOffered" BOOLEAN NOT NULL,
    "insuranceSelected" BOOLEAN NOT NULL,
    "offeredAt" TEXT,

    CONSTRAINT "OrderLine_pkey" PRIMARY KEY ("shop","orderId","lineId")
);

-- CreateTable
CREATE TABLE "InsuredUnit" (
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "lineId" TEXT NOT NULL,
    "unit" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "wanted" BOOLEAN NOT NULL DEFAULT true,
    "accepted" BOOLEAN NOT NULL DEFAULT false,
    "offerReferenceId" TEXT NOT NULL,
    "planVariantId" TEXT NOT NULL,
    "planTitle" TEXT NOT NULL,
    "premiumMinor" INTEGER NOT NULL,
    "termMonths" INTEGER,
    "currency" TEXT NOT NULL,
    "insuredLineId" TEXT,
    "insuredVariantId" TEXT,
    "insuredTitle" TEXT,
    "insuredPriceMinor" INTEGER,
    "insuredCurrency" TEXT,
    "touchpoint" TEXT,
    "consent" TEXT,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "sentAt" TIMESTAMPTZ(3),
    "answered" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT,
    "contractId" TEXT,
    "activatesOn" TEXT,
    "expiresOn" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "InsuredUnit_pkey" PRIMARY KEY ("shop","orderId","lineId","unit")
);

-- CreateTable
CREATE TABLE "UnitHistory" (
    "id" BIGSERIAL NOT NULL,
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "lineId" TEXT NOT NULL,
    "unit" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "before" TEXT,
    "after" TEXT NOT NULL,
    "cause" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "note" TEXT,

    CONSTRAINT "UnitHistory_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Task" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "orderId" TEXT,
    "lineId" TEXT,
    "unit" INTEGER,
    "details" JSONB NOT NULL,
    "openedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closedAt" TIMESTAMPTZ(3),
    "outcome" TEXT,

    CONSTRAINT "Task_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Order_shop_purchasedAt_orderId_idx" ON "Order"("shop", "purchasedAt" DESC, "orderId");

-- CreateIndex
CREATE INDEX "Order_shop_email_idx" ON "Order"("shop", "email");

-- CreateIndex
CREATE INDEX "Order_shop_name_idx" ON "Order"("shop", "name");

-- CreateIndex
CREATE INDEX "InsuredUnit_shop_state_idx" ON "InsuredUnit"("shop", "state");

-- CreateIndex
CREATE INDEX "InsuredUnit_shop_contractId_idx" ON "InsuredUnit"("shop", "contractId");

-- CreateIndex
CREATE UNIQUE INDEX "InsuredUnit_shop_orderId_contractId_key" ON "InsuredUnit"("shop", "orderId", "contractId");

-- CreateIndex
CREATE INDEX "UnitHistory_shop_orderId_idx" ON "UnitHistory"("shop", "orderId");

-- CreateIndex
CREATE INDEX "Task_shop_closedAt_openedAt_idx" ON "Task"("shop", "closedAt", "openedAt");

-- CreateIndex
CREATE INDEX "Task_shop_orderId_idx" ON "Task"("shop", "orderId");

-- CreateIndex
CREATE UNIQUE INDEX "Task_shop_key_key" ON "Task"("shop", "key");

-- AddForeignKey
ALTER TABLE "OrderLine" ADD CONSTRAINT "OrderLine_shop_orderId_fkey" FOREIGN KEY ("shop", "orderId") REFERENCES "Order"("shop", "orderId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "InsuredUnit" ADD CONSTRAINT "InsuredUnit_shop_orderId_fkey" FOREIGN KEY ("shop", "orderId") REFERENCES "Order"("shop", "orderId") ON DELETE CASCADE ON UPDATE CASCADE;

