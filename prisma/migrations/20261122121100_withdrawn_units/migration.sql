-- When a customer declared that they withdraw from the contract.
ALTER TABLE "InsuredUnit" ADD COLUMN "withdrawnAt" TIMESTAMPTZ(3);
