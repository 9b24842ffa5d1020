import { z } from "zod";
import { createAdminClient } from "./graphql.server.ts";

const address = z.email().max(254).nullable().catch(null);

/** The address at which the shop wants mail; it is read when it is used, and not stored. Null: it has none. */
export async function readShopContact(shop: string): Promise<string | null> {
  const { shop: found } = await createAdminClient(shop, { attempts: 3 }).request(
    `#graphql
    query ParasolShopContact { shop { contactEmail } }`,
    {},
  );
  return address.parse(found.contactEmail);
}
