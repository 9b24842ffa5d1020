-- Since when the shop's workflows are told of quotes; null: not.
ALTER TABLE "LeadSettings" ADD COLUMN "flowSince" TIMESTAMPTZ(3);
-- When they were told of this one: once, whatever came of it.
ALTER TABLE "OrderLead" ADD COLUMN "flowAt" TIMESTAMPTZ(3);
