-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "grantedAt" TIMESTAMP(3);

