/** What the resolvers of one call share: the shop, the token's scopes, and how ids become objects. */
import type { ShopSandbox } from "../../sandbox.ts";
import type { BulkOperations } from "./bulk-operations.ts";
import type { GraphqlResponse } from "./execute.ts";
import type { ProductSetOperations } from "./product-set.ts";
import type { View } from "./view.ts";

export interface Reader {
  shop: ShopSandbox;
  scopes: readonly string[];
  bulk: BulkOperations;
  productSets: ProductSetOperations;
  /** The object behind a GID; null where there is none. */
  node: (id: string) => View | null;
  exists: (id: string) => boolean;
  /** Metafields of these owners changed: their products count as updated. */
  touched: (ownerIds: string[]) => void;
  /** Runs a document of a bulk operation: whole lists, no price. */
  run: (document: string, variables: Record<string, unknown>) => Promise<GraphqlResponse>;
}
