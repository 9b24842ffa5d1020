-- CreateIndex
CREATE INDEX "UnitHistory_shop_at_idx" ON "UnitHistory"("shop", "at");
