/** What the database has of the contracts that the insurer names. */
import { z } from "zod";
import type { Plan } from "#app/insurance/plans.ts";
import type { Environment } from "#app/merchants/connection.ts";
import { db } from "#app/platform/db.server.ts";
import { type ContractMatch, contractMatch } from "./contract-list.ts";

/** What the database has of the contracts, by contract number; one of which it has nothing is missing. */
export async function findContractMatches(
  shop: string,
  environment: Environment,
  plans: readonly Pick<Plan, "id" | "orderReferenceId">[],
): Promise<Map<string, ContractMatch>> {
  const rows = await db.$queryRaw`
    SELECT plan.id AS "contractId", o."orderId", o.name AS "orderName", u.state AS "itemState",
      u."expiresOn",
      q."orderId" IS NOT NULL AS "isOfOrderQuote", l."quoteId", EXISTS (
        SELECT FROM "Task" AS t
        WHERE t.shop = ${shop} AND t."orderId" = o."orderId" AND t."closedAt" IS NULL
          AND (t."lineId" = u."lineId" AND t."itemNumber" = u."itemNumber"
            OR t.key = concat_ws(':', 'surplus_contract', o."orderId", plan.id))) AS "hasTask"
    FROM unnest(${plans.map(({ id }) => id)}::text[], ${plans.map((plan) => plan.orderReferenceId)}::text[])
      AS plan(id, reference)
    LEFT JOIN "InsuredItem" AS u
      ON u.shop = ${shop} AND u."contractId" = plan.id AND u.environment = ${environment}
    LEFT JOIN "OrderQuote" AS q
      ON q.shop = ${shop} AND q.environment = ${environment} AND q."contractId" = plan.id
    LEFT JOIN "Quote" AS l
      ON l.shop = ${shop} AND l.environment = ${environment} AND l."quoteId" = plan.reference
    LEFT JOIN "Order" AS o
      ON o.shop = ${shop} AND o."orderId" = COALESCE(u."orderId", q."orderId", plan.reference)
    WHERE o."orderId" IS NOT NULL OR l."quoteId" IS NOT NULL`;
  const matches = z.array(contractMatch).parse(rows);
  return new Map(matches.map((match) => [match.contractId, match]));
}

/** The orders here that have the contracts, by contract number. */
export async function findOrdersOfContracts(
  shop: string,
  environment: Environment,
  contractIds: string[],
): Promise<Record<string, string>> {
  const plans = contractIds.map((id) => ({ id, orderReferenceId: "" }));
  const matches = await findContractMatches(shop, environment, plans);
  return Object.fromEntries(
    [...matches].flatMap(([id, { orderId }]): [string, string][] =>
      orderId === null ? [] : [[id, orderId]],
    ),
  );
}
