-- Open tasks are listed by their legal deadline, then by what customers paid, then by age.
ALTER TABLE "Task"
  ADD COLUMN "dueOn" TEXT NOT NULL DEFAULT '9999-12-31',
  ADD COLUMN "atStakeMinor" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "currency" TEXT;
DROP INDEX "Task_open";
CREATE INDEX "Task_open" ON "Task" (shop, "dueOn", (-"atStakeMinor"), "openedAt", id) WHERE "closedAt" IS NULL;
