-- AlterTable
ALTER TABLE "Category" ADD COLUMN     "liveProducts" TEXT[];

