-- A shop with years of orders has a row for each product and day: a look at all of them adds up sums of months.
CREATE TABLE "AttachmentMonth" (
  "shop" TEXT NOT NULL,
  "month" DATE NOT NULL,
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
  CONSTRAINT "AttachmentMonth_pkey" PRIMARY KEY ("shop", "month", "environment", "dimension", "value")
);

-- Home counts insured orders of thirty days.
ALTER TABLE "AttachmentDay" ADD COLUMN "insuredOrders" INTEGER NOT NULL DEFAULT 0;

-- What was counted before lacks both: it is counted anew.
ALTER TABLE "AttachmentSettings" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1;
