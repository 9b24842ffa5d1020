-- Whether the service refuses contracts without a phone number, and what the merchant did about it.
ALTER TABLE "Connection" ADD COLUMN "phoneNumber" TEXT NOT NULL DEFAULT 'optional';
