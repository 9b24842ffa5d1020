-- The time of a run's or an import's last progress is called what it is.
ALTER TABLE "SyncRun" RENAME COLUMN "touchedAt" TO "lastProgressAt";
ALTER TABLE "AnalyticsImport" RENAME COLUMN "touchedAt" TO "lastProgressAt";
