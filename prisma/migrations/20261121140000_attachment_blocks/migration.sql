-- CreateTable
CREATE TABLE "AttachmentBlock" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "level" TEXT NOT NULL,
    "span" TEXT NOT NULL,
    "dimension" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "eligible" INTEGER NOT NULL,
    "seen" INTEGER NOT NULL,
    "chosen" INTEGER NOT NULL,
    "paid" INTEGER NOT NULL,
    "cancelled" INTEGER NOT NULL,
    "premiumMinor" BIGINT NOT NULL,

    CONSTRAINT "AttachmentBlock_pkey" PRIMARY KEY ("shop","level","span","dimension","environment","value")
);

-- CreateTable
CREATE TABLE "AttachmentChange" (
    "id" BIGSERIAL NOT NULL,
    "shop" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AttachmentChange_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AttachmentBasis" (
    "shop" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "currency" TEXT NOT NULL,

    CONSTRAINT "AttachmentBasis_pkey" PRIMARY KEY ("shop")
);

-- CreateIndex
CREATE INDEX "AttachmentChange_shop_at_idx" ON "AttachmentChange"("shop", "at");


-- Orders are deleted only together with everything of their shop (app/platform/erase-shop.server.ts), so nothing needs to
-- hear of that. An order counts by its lines, so a new order is heard of by its first line.
CREATE FUNCTION attachment_order_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "AttachmentChange" (shop, at) VALUES (NEW.shop, NEW."purchasedAt");
  IF OLD."purchasedAt" <> NEW."purchasedAt" THEN
    INSERT INTO "AttachmentChange" (shop, at) VALUES (OLD.shop, OLD."purchasedAt");
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION attachment_part_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "AttachmentChange" (shop, at)
  SELECT shop, "purchasedAt" FROM "Order" WHERE shop = NEW.shop AND "orderId" = NEW."orderId";
  RETURN NULL;
END $$;

CREATE TRIGGER attachment_order AFTER UPDATE OF "purchasedAt", "paidAt", environment ON "Order"
FOR EACH ROW WHEN (
  OLD."purchasedAt" <> NEW."purchasedAt" OR OLD.environment <> NEW.environment
  OR (OLD."paidAt" IS NULL) <> (NEW."paidAt" IS NULL)
) EXECUTE FUNCTION attachment_order_changed();

CREATE TRIGGER attachment_line AFTER INSERT ON "OrderLine"
FOR EACH ROW WHEN (NEW."categoryId" <> '') EXECUTE FUNCTION attachment_part_changed();

CREATE TRIGGER attachment_line_changed AFTER UPDATE OF "productId", title, "priceMinor", "categoryId",
  "insuranceOffered", "insuranceSelected", "offeredAt" ON "OrderLine"
FOR EACH ROW WHEN (
  (OLD."productId", OLD.title, OLD."priceMinor", OLD."categoryId", OLD."insuranceOffered", OLD."insuranceSelected",
    OLD."offeredAt")
  IS DISTINCT FROM
  (NEW."productId", NEW.title, NEW."priceMinor", NEW."categoryId", NEW."insuranceOffered", NEW."insuranceSelected",
    NEW."offeredAt")
) EXECUTE FUNCTION attachment_part_changed();

CREATE TRIGGER attachment_unit AFTER INSERT ON "InsuredUnit"
FOR EACH ROW EXECUTE FUNCTION attachment_part_changed();

CREATE TRIGGER attachment_unit_changed AFTER UPDATE OF state, wanted, "insuredLineId", "premiumMinor", currency,
  touchpoint ON "InsuredUnit"
FOR EACH ROW WHEN (
  (OLD.state = 'cancelled', OLD.wanted, OLD."insuredLineId", OLD."premiumMinor", OLD.currency, OLD.touchpoint)
  IS DISTINCT FROM
  (NEW.state = 'cancelled', NEW.wanted, NEW."insuredLineId", NEW."premiumMinor", NEW.currency, NEW.touchpoint)
) EXECUTE FUNCTION attachment_part_changed();
