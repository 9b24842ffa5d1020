-- Pieces that are not to be insured any more and are still in the shop's order: a refund takes them first.
ALTER TABLE "InsuredUnit" ADD COLUMN "endedInOrder" BOOLEAN NOT NULL DEFAULT false;
