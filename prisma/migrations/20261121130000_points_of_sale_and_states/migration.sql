-- CreateIndex
CREATE INDEX "OrganisationSale_shop_organisation_storeId_date_saleId_idx" ON "OrganisationSale"("shop", "organisation", "storeId", "date", "saleId");
-- CreateIndex
CREATE INDEX "InboxEvent_shop_state_receivedAt_idx" ON "InboxEvent"("shop", "state", "receivedAt");
