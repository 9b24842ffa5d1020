/** Themes that add to the cart with fetch, from an address or from a Request. */
import { addWithPlans, canCarryChoice, send } from "./add-to-cart.ts";

window.fetch = async (input, init) => {
  const request = input instanceof Request ? input : undefined;
  const address = input instanceof Request ? input.url : input.toString();
  const method = init?.method ?? request?.method ?? "GET";
  // A stream can be read once only.
  if (!canCarryChoice(address, method) || init?.body instanceof ReadableStream) return send(input, init);
  return (await addWithPlans(new Request(request?.clone() ?? input, init))) ?? send(input, init);
};
