-- CreateTable
CREATE TABLE "Merchant" (
    "shop" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "currency" TEXT NOT NULL DEFAULT '',
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "locale" TEXT NOT NULL DEFAULT 'en',
    "environment" TEXT NOT NULL DEFAULT 'test',
    "installedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "uninstalledAt" TIMESTAMP(3),
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Merchant_pkey" PRIMARY KEY ("shop")
);

-- CreateTable
CREATE TABLE "Connection" (
    "shop" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "storeId" TEXT NOT NULL,
    "sealedToken" TEXT NOT NULL,
    "tokenSetAt" TIMESTAMP(3) NOT NULL,
    "sealedOrganisationToken" TEXT,
    "organisationTokenSetAt" TIMESTAMP(3),
    "checkedAt" TIMESTAMP(3) NOT NULL,
    "state" TEXT NOT NULL,

    CONSTRAINT "Connection_pkey" PRIMARY KEY ("shop","environment")
);

