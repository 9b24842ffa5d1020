-- CreateTable
CREATE TABLE "MerchantSettings" (
    "shop" TEXT NOT NULL,
    "settings" JSONB NOT NULL,

    CONSTRAINT "MerchantSettings_pkey" PRIMARY KEY ("shop")
);

-- CreateTable
CREATE TABLE "Activity" (
    "id" TEXT NOT NULL,
    "shop" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "Activity_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "Activity_shop_at_id_idx" ON "Activity"("shop", "at", "id");

