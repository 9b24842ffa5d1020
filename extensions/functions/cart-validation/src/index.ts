/** The Function, as Shopify calls it: whatever it cannot read, the checkout goes on. */
import { readCart } from "./read-cart.ts";
import { messagesOf } from "./messages.ts";
import { findViolations } from "./violations.ts";

/** As the published schema has it: `CartValidationsGenerateRunResult`. */
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
    // The shop's own purchase never fails because of the insurance: an order that should not be is a task afterwards.
    return { operations: [] };
  }
}
