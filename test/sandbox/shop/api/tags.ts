/**
 * tagsAdd and tagsRemove, for orders alone. The schema names no scope for them: an order's tags need `write_orders`, as
 * its other fields do.
 */
import { GraphQLError } from "graphql";
import type { MutationTagsAddArgs, MutationTagsRemoveArgs } from "#app/shopify/types/admin.types.d.ts";
import { parseGid } from "../ids.ts";
import { tagOrder, untagOrder } from "../orders.ts";
import type { Order, ShopState } from "../state.ts";
import { orderById, refusedAs } from "./orders.ts";
import { NotImplemented, typed, type Call, type Resolvers } from "./resolver.ts";

export const tagTypes: Resolvers = {
  Mutation: {
    tagsAdd: (_, args: MutationTagsAddArgs, call) => changeTags(call, args, tagOrder),
    tagsRemove: (_, args: MutationTagsRemoveArgs, call) => changeTags(call, args, untagOrder),
  },
};

function changeTags(
  call: Call,
  { id, tags }: MutationTagsAddArgs | MutationTagsRemoveArgs,
  change: (state: ShopState, orderId: string, tags: readonly string[]) => Order,
): object {
  const { type, id: orderId = "" } = parseGid(id) ?? {};
  if (type !== "Order") throw new NotImplemented(`tags of ${type}`);
  if (!call.scopes.includes("write_orders"))
    throw new GraphQLError("Access denied. Required access: `write_orders` access scope.", {
      extensions: { code: "ACCESS_DENIED" },
    });
  if (orderById(call, orderId) === null)
    return { node: null, userErrors: [{ field: ["id"], message: "Order does not exist" }] };
  return {
    node: null,
    ...refusedAs("id", () => ({
      node: typed("Order", change(call.shop.state, orderId, [tags].flat())),
      userErrors: [],
    })),
  };
}
