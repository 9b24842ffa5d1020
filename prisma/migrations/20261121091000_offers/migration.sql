-- CreateTable
CREATE TABLE "StorefrontSettings" (
    "shop" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "digest" TEXT,
    "installationId" TEXT,

    CONSTRAINT "StorefrontSettings_pkey" PRIMARY KEY ("shop")
);

