-- When the database was restored from a backup.
CREATE TABLE "Restore" ("at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP, CONSTRAINT "Restore_pkey" PRIMARY KEY ("at"));
-- When the service was last asked for this unit's plan and had none.
ALTER TABLE "InsuredUnit" ADD COLUMN "lookedUpAt" TIMESTAMPTZ(3);
