-- Amounts are integer minor units: yen have no cents.
ALTER TABLE "Reference" RENAME COLUMN "priceCents" TO "priceMinor";
ALTER TABLE "Reference" RENAME COLUMN "bandMinCents" TO "bandMinMinor";
ALTER TABLE "Reference" RENAME COLUMN "bandMaxCents" TO "bandMaxMinor";
ALTER TABLE "SyncedVariant" RENAME COLUMN "priceCents" TO "priceMinor";
ALTER TABLE "ShopProduct" RENAME COLUMN "minPriceCents" TO "minPriceMinor";
ALTER TABLE "ShopVariant" RENAME COLUMN "priceCents" TO "priceMinor";
ALTER INDEX "ShopVariant_shop_priceCents_idx" RENAME TO "ShopVariant_shop_priceMinor_idx";

UPDATE "SyncedVariant" SET written = (written - 'priceCents') || jsonb_build_object('priceMinor', written -> 'priceCents')
WHERE written ? 'priceCents';
UPDATE "ManualEdit" SET field = 'priceMinor' WHERE field = 'priceCents';
UPDATE "CategoryRule" SET conditions = (
  SELECT jsonb_agg(
    CASE WHEN each.condition ->> 'field' = 'price' THEN (each.condition - 'minCents' - 'maxCents')
      || jsonb_build_object('minMinor', each.condition -> 'minCents', 'maxMinor', each.condition -> 'maxCents')
    ELSE each.condition END ORDER BY each.place)
  FROM jsonb_array_elements(conditions) WITH ORDINALITY AS each(condition, place))
WHERE conditions @> '[{"field": "price"}]';

-- The merchant's own choice for one product.
ALTER TABLE "ProductOverride" RENAME TO "CategoryOverride";
ALTER TABLE "CategoryOverride" RENAME CONSTRAINT "ProductOverride_pkey" TO "CategoryOverride_pkey";

-- A compact catalogue as it stands in the shop's metafields.
ALTER TABLE "WrittenCatalogue" RENAME TO "PublishedCatalogue";
ALTER TABLE "PublishedCatalogue" RENAME CONSTRAINT "WrittenCatalogue_pkey" TO "PublishedCatalogue_pkey";

-- Why another run follows this one.
ALTER TABLE "SyncRun" RENAME COLUMN "againFor" TO "followUpReason";
