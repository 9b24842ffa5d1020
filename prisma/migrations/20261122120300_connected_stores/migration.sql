-- CreateTable
CREATE TABLE "ConnectedStore" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "storeId" TEXT NOT NULL,
    "since" TIMESTAMPTZ(3),

    CONSTRAINT "ConnectedStore_pkey" PRIMARY KEY ("shop","environment")
);

INSERT INTO "ConnectedStore" ("shop", "environment", "storeId") SELECT "shop", "environment", "storeId" FROM "Connection";
