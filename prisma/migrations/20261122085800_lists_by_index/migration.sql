-- Each list reads its rows in its order from an index: both columns of its key, in the same direction.
DROP INDEX "Order_shop_purchasedAt_orderId_idx";
CREATE INDEX "Order_shop_purchasedAt_orderId_idx" ON "Order"("shop", "purchasedAt", "orderId");

DROP INDEX "Task_shop_closedAt_openedAt_idx";
CREATE INDEX "Task_shop_openedAt_id_idx" ON "Task"("shop", "openedAt", "id");
-- Few tasks are open, among all that ever were.
CREATE INDEX "Task_open" ON "Task" (shop, "openedAt", id) WHERE "closedAt" IS NULL;

DROP INDEX "SyncRun_shop_createdAt_idx";
CREATE INDEX "SyncRun_shop_createdAt_id_idx" ON "SyncRun"("shop", "createdAt", "id");

DROP INDEX "InboxEvent_shop_receivedAt_idx";
CREATE INDEX "InboxEvent_shop_receivedAt_id_idx" ON "InboxEvent"("shop", "receivedAt", "id");

CREATE INDEX "ReconciliationRun_shop_createdAt_id_idx" ON "ReconciliationRun"("shop", "createdAt", "id");

DROP INDEX "Reference_shop_environment_categoryId_idx";
CREATE INDEX "Reference_in_order" ON "Reference"("shop", "environment", "categoryId", "termMonths", "bandMinMinor", "referenceId");
