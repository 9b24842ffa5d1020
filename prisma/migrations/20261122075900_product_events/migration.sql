-- Events about products that wait, for the job that takes a shop's together.
CREATE INDEX "InboxEvent_waiting_products" ON "InboxEvent" (shop, id) WHERE state <> 'done' AND topic LIKE 'products/%';
