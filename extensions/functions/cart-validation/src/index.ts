/** Shopify's entry point of the Function. If it cannot read the input, the checkout continues. */
import { readCart } from "./read-cart.ts";
import { messagesOf } from "./messages.ts";
import { findViolations } from "./violations.ts";

/** In the published schema: `CartValidationsGenerateRunResult`. */
interface Result {
  operations: { validationAdd: { errors: { message: string; target: string }[] } }[];
}

export function cartValidationsGenerateRun(input: unknown): Result {
  try {
    const cart = readCart(input);
    const messages = cart === null ? [] : messagesOf(findViolations(cart.lines, cart), cart);
    if (messages.length === 0) return { operations: [] };
    const errors = messages.map((message) => ({ message, target: "$.cart" }));
    return { operations: [{ validationAdd: { errors } }] };
  } catch {
    // An error here never blocks the shop's own sale. A wrong order becomes a task afterwards.
    return { operations: [] };
  }
}
