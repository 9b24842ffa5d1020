-- The orders of a customer who is signed in to their account, and the claims that they were shown last.
ALTER TABLE "Order" ADD COLUMN "customerDigest" TEXT;
CREATE TABLE "ContractClaims" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "contractId" TEXT NOT NULL,
    "claims" JSONB NOT NULL,
    "readAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ContractClaims_pkey" PRIMARY KEY ("shop", "environment", "contractId")
);
