-- When everything of a shop is to be erased: set by shop/redact, cleared when the shop installs the app again.
ALTER TABLE "Merchant" ADD COLUMN "eraseAt" TIMESTAMPTZ(3);
