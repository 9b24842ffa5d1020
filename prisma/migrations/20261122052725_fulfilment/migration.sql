-- Lines of contracts are fulfilled in the shop, where the merchant allows it.
ALTER TABLE "Merchant" ADD COLUMN "canFulfil" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "InsuredUnit" ADD COLUMN "fulfilledAt" TIMESTAMPTZ(3);
