-- Sums of days, months and years, and the triggers that noted what changed, give way to plain daily sums
-- (docs/decisions/0009-attachment-daily-sums.md). They are counted again from the orders.
DROP TRIGGER attachment_order ON "Order";
DROP TRIGGER attachment_line ON "OrderLine";
DROP TRIGGER attachment_line_changed ON "OrderLine";
DROP TRIGGER attachment_unit ON "InsuredUnit";
DROP TRIGGER attachment_unit_changed ON "InsuredUnit";
DROP FUNCTION attachment_order_changed();
DROP FUNCTION attachment_part_changed();
DROP TABLE "AttachmentBlock";
DROP TABLE "AttachmentBasis";
DROP TABLE "AttachmentChange";

-- CreateTable
CREATE TABLE "AttachmentDay" (
    "shop" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "environment" TEXT NOT NULL,
    "dimension" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "eligible" INTEGER NOT NULL,
    "seen" INTEGER NOT NULL,
    "chosen" INTEGER NOT NULL,
    "paid" INTEGER NOT NULL,
    "cancelled" INTEGER NOT NULL,
    "premiumMinor" BIGINT NOT NULL,

    CONSTRAINT "AttachmentDay_pkey" PRIMARY KEY ("shop","day","environment","dimension","value")
);

-- CreateTable
CREATE TABLE "AttachmentChange" (
    "id" BIGSERIAL NOT NULL,
    "shop" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AttachmentChange_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AttachmentSettings" (
    "shop" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "currency" TEXT NOT NULL,

    CONSTRAINT "AttachmentSettings_pkey" PRIMARY KEY ("shop")
);

-- CreateIndex
CREATE INDEX "AttachmentChange_shop_at_idx" ON "AttachmentChange"("shop", "at");

-- Notes when the changed order was bought, in the transaction of the change. Rows are only ever added, so no writer
-- waits for another. An order counts by its lines, so its insertion needs no trigger; nor does deletion, because
-- orders are deleted only together with everything of their shop (app/platform/erase-shop.server.ts).
CREATE FUNCTION attachment_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'Order' THEN
    INSERT INTO "AttachmentChange" (shop, at)
    VALUES (OLD.shop, OLD."purchasedAt"), (NEW.shop, NEW."purchasedAt");
  ELSE
    INSERT INTO "AttachmentChange" (shop, at)
    SELECT shop, "purchasedAt" FROM "Order" WHERE shop = NEW.shop AND "orderId" = NEW."orderId";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER attachment_order AFTER UPDATE OF "purchasedAt", "paidAt", environment ON "Order"
FOR EACH ROW EXECUTE FUNCTION attachment_changed();

CREATE TRIGGER attachment_line AFTER INSERT OR UPDATE OF "productId", title, "priceMinor", "categoryId",
  "insuranceOffered", "insuranceSelected", "offeredAt" ON "OrderLine"
FOR EACH ROW EXECUTE FUNCTION attachment_changed();

CREATE TRIGGER attachment_unit AFTER INSERT OR UPDATE OF state, wanted, "insuredLineId", "premiumMinor", currency,
  touchpoint ON "InsuredUnit"
FOR EACH ROW EXECUTE FUNCTION attachment_changed();
