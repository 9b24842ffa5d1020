/** The merchant says which of the organisation's points of sale are this shop. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { pointsOfSale } from "#app/analytics/organisation-figures.server.ts";
import { organisationOf } from "#app/analytics/import.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { db } from "#app/platform/db.server.ts";

/** @returns `unknown_store`: the insurer shows none of them; nothing is saved */
export async function choosePointsOfSale(
  { shop, environment }: Merchant,
  storeIds: readonly string[],
  actor: Actor,
): Promise<"saved" | "unknown_store"> {
  const organisation = await organisationOf(shop, environment);
  const stores = organisation ? await pointsOfSale(shop, organisation.id) : [];
  const chosen = stores.filter(({ storeId }) => storeIds.includes(storeId));
  if (chosen.length === 0) return "unknown_store";
  await db.$transaction(async (tx) => {
    const where = { shop, environment };
    const { pointsOfSale: before } = await tx.connection.findUniqueOrThrow({
      where: { shop_environment: where },
    });
    await tx.connection.updateMany({
      where,
      data: { pointsOfSale: chosen.map(({ storeId }) => storeId) },
    });
    const named = (ids: readonly string[]) =>
      stores
        .filter(({ storeId }) => ids.includes(storeId))
        .map(({ store }) => store)
        .join(", ");
    await recordAudit(
      {
        shop,
        actor,
        action: "points_of_sale_chosen",
        subject: environment,
        before: { pointsOfSale: named(before) || null },
        after: { pointsOfSale: named(storeIds) },
      },
      tx,
    );
  });
  return "saved";
}
