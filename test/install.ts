/**
 * Brings a shop of the world to where most tests begin. Uses the app's own doors: the guard that a page passes, the
 * Connection feature, never the tables.
 */
import { staff } from "#app/audit/actor.ts";
import { connect } from "#app/merchants/connection.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { adminRequest, insurance, shop } from "./world.ts";

/** The merchant opens the app once: the platform gives the app access, the app knows the shop. */
export async function installApp(domain = shop.shopDomain): Promise<void> {
  await requireMerchant(await adminRequest("/app", { domain }));
}

/** Installed, and connected to the service's test environment. */
export async function connectShop(domain = shop.shopDomain, store = insurance.stores[0]): Promise<void> {
  if (!store) throw new Error("The stand-in has no store");
  await installApp(domain);
  const result = await connect(
    domain,
    {
      environment: "test",
      storeId: store.store_id,
      token: store.token_test,
      organisationToken: store.organisation_token,
    },
    staff("1"),
  );
  if (result.state !== "accepted") throw new Error(`The stand-in answered: ${result.state}`);
}
