-- The texts that shoppers agreed to, by a digest of each: contracts name the version.
CREATE TABLE "ConsentText" (
    "shop" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "keptAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ConsentText_pkey" PRIMARY KEY ("shop", "version")
);
