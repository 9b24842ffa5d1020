/** A shop's permissions for the app, from Shopify. */
import { askForRefresh } from "./admin.server.ts";
import { AccessDenied, AdminUnavailable, NoAccess } from "./errors.ts";
import { createAdminClient } from "./graphql.server.ts";
import { judgeOrderAccess, type OrderAccess } from "./order-access.ts";

/**
 * Whether the app is installed. A webhook's signature does not cover the shop in its header, so this is checked
 * before a webhook deletes anything.
 * @returns true if the shop's access token works; false if there is none, or if Shopify no longer accepts it
 * @throws AdminUnavailable and other errors if the answer is unknown: retry later
 */
export async function isInstalled(shop: string): Promise<boolean> {
  try {
    await createAdminClient(shop, { attempts: 3 }).request(
      `#graphql
      query ParasolInstalled { shop { id } }`,
      {},
    );
    return true;
  } catch (error) {
    if (error instanceof NoAccess) return false;
    const answer = error instanceof AdminUnavailable ? await askForRefresh(shop) : null;
    if (answer !== null && answer.status >= 400 && answer.status < 500 && answer.status !== 429) return false;
    throw error;
  }
}

/** The granted access scopes. @throws AdminRefused, AdminUnavailable, NoAccess */
export async function readGrantedScopes(shop: string): Promise<string[]> {
  const { currentAppInstallation } = await createAdminClient(shop, { attempts: 2 }).request(
    `#graphql
    query ParasolScopes { currentAppInstallation { accessScopes { handle } } }`,
    {},
  );
  return currentAppInstallation.accessScopes.map(({ handle }) => handle);
}

/** Whether the app may read orders. @throws AdminRefused, AdminUnavailable, NoAccess, AbortError */
export async function readOrderAccess(shop: string, signal?: AbortSignal): Promise<OrderAccess> {
  const client = createAdminClient(shop, { signal, attempts: 2 });
  try {
    const { data, denied } = await client.requestAllowed(
      `#graphql
      query ParasolOrderAccess {
        orders(first: 5, reverse: true, sortKey: CREATED_AT) {
          nodes {
            sourceName email phone
            billingAddress { firstName lastName address1 phone }
            shippingAddress { firstName lastName address1 phone }
          }
        }
      }`,
      {},
    );
    return judgeOrderAccess(data.orders.nodes, denied);
  } catch (error) {
    if (error instanceof AccessDenied) return "none";
    throw error;
  }
}
