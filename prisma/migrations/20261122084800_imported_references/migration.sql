-- What a file brought stays marked, also once the service offers it itself.
ALTER TABLE "Reference" ADD COLUMN "importedAt" TIMESTAMP(3);
UPDATE "Reference" SET "importedAt" = "firstSeenAt" WHERE source = 'file';
