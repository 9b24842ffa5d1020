-- Money is called …Minor or …_minor everywhere: yen has no cents.
UPDATE "Lead" SET offers = (
  SELECT coalesce(jsonb_agg((offer - 'price_cents') || jsonb_build_object('price_minor', offer -> 'price_cents') ORDER BY place), '[]')
  FROM jsonb_array_elements(offers) WITH ORDINALITY AS list(offer, place)
);
