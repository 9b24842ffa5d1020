import type { Order } from "./state.ts";

/** The id of the line that an order's tip is, in webhooks and in the Admin API. */
export const tipId = ({ id }: Order): string => `${id}9`;
