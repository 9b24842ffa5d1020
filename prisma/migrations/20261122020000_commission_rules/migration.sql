-- The commission rules are applied when a row is imported (app/analytics/commission-rules.ts). What was imported before
-- is imported again at the next look, so that the rules need not be written a second time here.
DELETE FROM "AnalyticsImport";
DELETE FROM "OrganisationSale";
DELETE FROM "OrganisationCommission";

ALTER TABLE "OrganisationSale" RENAME COLUMN "priceCents" TO "priceMinor";
ALTER TABLE "OrganisationSale" RENAME COLUMN "frontCents" TO "frontMinor";
ALTER TABLE "OrganisationSale" RENAME COLUMN "airCents" TO "airMinor";
ALTER TABLE "OrganisationSale" ADD COLUMN "airFrom" TEXT, ADD COLUMN "isContradiction" BOOLEAN NOT NULL;

ALTER TABLE "OrganisationCommission" RENAME COLUMN "amountCents" TO "amountMinor";
ALTER TABLE "OrganisationCommission" RENAME COLUMN "priceCents" TO "priceMinor";
ALTER TABLE "OrganisationCommission" ADD COLUMN "effectMinor" INTEGER;
