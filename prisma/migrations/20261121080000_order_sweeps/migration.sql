-- CreateTable
CREATE TABLE "OrderSweep" (
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

    CONSTRAINT "OrderSweep_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "OrderSweep_shop_kind_createdAt_idx" ON "OrderSweep"("shop", "kind", "createdAt" DESC);

