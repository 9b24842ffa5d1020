/** Which access scopes a shop has granted, as the platform itself answers. */
import { createAdminClient } from "./graphql.server.ts";

/** @throws AdminRefused, AdminUnavailable, NoAccess */
export async function readGrantedScopes(shop: string): Promise<string[]> {
  const { currentAppInstallation } = await createAdminClient(shop, { attempts: 2 }).request(
    `#graphql
    query ParasolScopes { currentAppInstallation { accessScopes { handle } } }`,
    {},
  );
  return currentAppInstallation.accessScopes.map(({ handle }) => handle);
}
