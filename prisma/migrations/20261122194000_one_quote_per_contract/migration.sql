-- A contract is the sale of one quote: two jobs at the same moment could both take one that names no quote. In one
-- transaction, because a version before that still runs must not do so between the two steps; the index holds sold quotes
-- alone, so it is made within moments.
LOCK TABLE "OrderLead" IN SHARE ROW EXCLUSIVE MODE;

-- The first to take it keeps it. The others are what they were before, and are looked for again.
WITH ranked AS (
    SELECT shop, "orderId", "lineId", "unitNumber", row_number() OVER (
        PARTITION BY shop, environment, "contractId" ORDER BY "soldAt", "orderId", "lineId", "unitNumber") AS place
    FROM "OrderLead" WHERE "contractId" IS NOT NULL
), released AS (
    UPDATE "OrderLead" AS l
    SET state = CASE WHEN l."withdrawnAt" IS NULL THEN 'open' ELSE 'withdrawn' END,
        "contractId" = NULL, "soldAt" = NULL, "soldMinor" = NULL, "soldTitle" = NULL, "lookedAt" = NULL
    FROM ranked
    WHERE ranked.place > 1 AND l.shop = ranked.shop AND l."orderId" = ranked."orderId" AND l."lineId" = ranked."lineId"
        AND l."unitNumber" = ranked."unitNumber"
    RETURNING l.shop, l.environment, l."leadId", l.state
)
UPDATE "Lead" AS lead SET status = CASE released.state WHEN 'open' THEN 'active' ELSE 'withdrawn' END
FROM released
WHERE lead.shop = released.shop AND lead.environment = released.environment AND lead."leadId" = released."leadId";

CREATE UNIQUE INDEX "OrderLead_contract" ON "OrderLead" (shop, environment, "contractId") WHERE "contractId" IS NOT NULL;
