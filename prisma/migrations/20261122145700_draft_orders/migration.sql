-- Staff sell insurance on draft orders: whether the shop has granted the scope, and who writes right now.
ALTER TABLE "Merchant" ADD COLUMN "canWriteDrafts" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "staffLockedUntil" TIMESTAMPTZ(3);
