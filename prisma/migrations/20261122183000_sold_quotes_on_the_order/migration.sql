-- What the contract of a sold quote is called, for the order's page. Those that were found before have none.
ALTER TABLE "OrderLead" ADD COLUMN "soldTitle" TEXT;
