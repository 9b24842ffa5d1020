/** The resolvers of the Admin API, by type and field, for fields that the store's plain objects lack. */
import { findVariant } from "../products.ts";
import { parseGid } from "../ids.ts";
import { bulkTypes } from "./bulk.ts";
import { draftOrderTypes } from "./draft-orders.ts";
import { flowTypes } from "./flow.ts";
import { metafieldTypes } from "./metafields.ts";
import { orderById, orderTypes } from "./orders.ts";
import { productSetTypes } from "./product-set.ts";
import { productTypes } from "./products.ts";
import { NotImplemented, typed } from "./resolver.ts";
import type { Call, Resolvers } from "./resolver.ts";
import { refundById, refundTypes } from "./refunds.ts";
import { settingsTypes } from "./settings.ts";
import { tagTypes } from "./tags.ts";

const nodeTypes: Resolvers = {
  QueryRoot: {
    nodes: (_, { ids }: { ids: string[] }, call) => ids.map((id) => nodeOf(call, id)),
  },
};

function nodeOf(call: Call, globalId: string): object | null {
  const { state } = call.shop;
  const { type, id } = parseGid(globalId) ?? { type: "", id: "" };
  switch (type) {
    case "Product":
      return typed(type, state.products.get(id));
    case "ProductVariant":
      return typed(type, findVariant(state, id)?.variant);
    case "Collection":
      return typed(type, state.collections.get(id));
    case "Refund":
      return typed(type, refundById(call, id) ?? undefined);
    case "Order":
      return typed(type, orderById(call, id) ?? undefined);
    default:
      throw new NotImplemented(`node(id: "${globalId}")`);
  }
}

const parts: Resolvers[] = [
  ...[nodeTypes, productTypes, productSetTypes, metafieldTypes, orderTypes, draftOrderTypes],
  ...[bulkTypes, settingsTypes, flowTypes, refundTypes, tagTypes],
];

export const resolvers: Resolvers = {};
for (const part of parts)
  for (const [type, fields] of Object.entries(part)) resolvers[type] = { ...resolvers[type], ...fields };
