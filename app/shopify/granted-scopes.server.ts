/** Which access scopes a shop has granted, as the platform itself answers. */
import { z } from "zod";
import { createAdminClient } from "./graphql.server.ts";

/** @throws AdminRefused, AdminUnavailable, NoAccess */
export async function readGrantedScopes(shop: string): Promise<string[]> {
  const { currentAppInstallation } = await createAdminClient(shop, { attempts: 2 }).request({
    query: `#graphql
    query ParasolScopes { currentAppInstallation { accessScopes { handle } } }`,
    schema: z.object({
      currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
    }),
  });
  return currentAppInstallation.accessScopes.map(({ handle }) => handle);
}
