-- Old events about products are found without reading those of orders, which are kept for years.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "InboxEvent_old_products" ON "InboxEvent" (shop, "receivedAt") WHERE state = 'done' AND topic LIKE 'products/%';
