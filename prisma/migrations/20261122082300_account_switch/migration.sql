-- An account is only in use once its catalogue is in the shop.
ALTER TABLE "Merchant" ADD COLUMN "nextEnvironment" TEXT;
ALTER TABLE "Merchant" ADD COLUMN "environmentSince" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
