-- AlterTable
ALTER TABLE "Reference" DROP COLUMN "productReferenceId",
ADD COLUMN     "productReferenceIds" TEXT[];

