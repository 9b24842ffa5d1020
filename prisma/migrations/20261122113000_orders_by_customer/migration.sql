CREATE INDEX CONCURRENTLY IF NOT EXISTS "Order_shop_customerDigest_idx" ON "Order" ("shop", "customerDigest");
