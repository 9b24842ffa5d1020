-- Orders that wait for an account at the service which cannot be used now.
CREATE TABLE "AccountPause" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AccountPause_pkey" PRIMARY KEY ("shop", "environment")
);

CREATE TABLE "WaitingOrder" (
    "shop" TEXT NOT NULL,
    "orderId" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "since" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WaitingOrder_pkey" PRIMARY KEY ("shop", "orderId")
);

CREATE INDEX "WaitingOrder_shop_environment_since_idx" ON "WaitingOrder"("shop", "environment", "since");
