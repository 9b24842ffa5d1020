-- The plan's price before discounts, which the insurer is owed.
ALTER TABLE "InsuredUnit" ADD COLUMN "offerPriceMinor" INTEGER;
