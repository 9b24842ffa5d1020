/** The merchant's further stores at the service, and the countries of each. */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import type { InsuranceAccount } from "#app/insurance/client.ts";
import { db } from "#app/platform/db.server.ts";
import { openToken, sealToken, storeConnection } from "./accounts.server.ts";
import { requestAccountCheck } from "./connection-state.server.ts";
import type { Environment } from "./connection.ts";
import { assignCountries, type MarketStore } from "./market-stores.ts";
import { lockConnection } from "./merchant.server.ts";

export async function listMarketStores(shop: string, environment: Environment): Promise<MarketStore[]> {
  return db.marketStore.findMany({
    where: { shop, environment },
    select: { storeId: true, countries: true },
    orderBy: { storeId: "asc" },
  });
}

export interface FurtherStore extends MarketStore {
  /** null keeps the one that is already there, else the connection's opens this store too */
  token: string | null;
}

/** The account of a further store as the merchant enters it. Null: the shop is not connected in this environment. */
export async function furtherAccount(
  shop: string,
  environment: Environment,
  { storeId, token }: FurtherStore,
): Promise<InsuranceAccount | null> {
  const connection = await storeConnection(shop, environment);
  if (!connection) return null;
  const { account } = connection;
  const existing = await db.marketStore.findUnique({
    where: { shop_environment_storeId: { shop, environment, storeId } },
  });
  const kept = existing?.sealedToken ?? null;
  const own = token ?? (kept === null ? account.token : openToken(shop, environment, "token", kept));
  return { ...account, storeId, token: own, key: `${shop}:${environment}:${storeId}` };
}

/** Saves a store that the service has accepted. Orders that are stored keep the store they have. */
export async function saveMarketStore(
  shop: string,
  environment: Environment,
  { storeId, countries, token }: FurtherStore,
  actor: Actor,
): Promise<void> {
  await db.$transaction(async (tx) => {
    // One save at a time: a country is one store's.
    await lockConnection(tx, shop, environment);
    const stores = await tx.marketStore.findMany({ where: { shop, environment } });
    for (const store of assignCountries(stores, { storeId, countries })) {
      const sealed =
        store.storeId === storeId && token !== null
          ? { sealedToken: sealToken(shop, environment, "token", token) }
          : {};
      const row = { countries: store.countries, ...sealed };
      await tx.marketStore.upsert({
        where: { shop_environment_storeId: { shop, environment, storeId: store.storeId } },
        create: { shop, environment, storeId: store.storeId, ...row },
        update: row,
      });
    }
    const before = {
      countries: stores.find((store) => store.storeId === storeId)?.countries.join(", ") ?? "",
    };
    const after = { storeId, countries: countries.join(", "), newToken: token !== null };
    await recordAudit({ shop, actor, action: "market_store_saved", subject: environment, before, after }, tx);
    await requestAccountCheck(shop, environment, tx);
  });
}
