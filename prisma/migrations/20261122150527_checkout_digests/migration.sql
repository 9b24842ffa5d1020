-- What the offer at the checkout reads stands in metafields of the shop and of plan products.
ALTER TABLE "StorefrontSettings" ADD COLUMN "checkoutDigests" JSONB NOT NULL DEFAULT '{}';
