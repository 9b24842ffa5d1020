import type { Order } from "./state.ts";

/** The line id of an order's tip, in webhooks and in the Admin API. */
export const tipId = ({ id }: Order): string => `${id}9`;
