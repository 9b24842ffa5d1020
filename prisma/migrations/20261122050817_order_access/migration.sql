-- What the platform lets the app read of orders.
ALTER TABLE "Merchant" ADD COLUMN "orderAccess" TEXT NOT NULL DEFAULT 'unknown';
