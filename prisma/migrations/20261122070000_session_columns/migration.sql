ALTER TABLE "Session" RENAME COLUMN "refreshingUntil" TO "refreshLockedUntil";
ALTER TABLE "Session" RENAME COLUMN "grantedAt" TO "tokenIssuedAt";
