/**
 * The form of a request that creates something. The specification shows one object and says "bulk creation" without the
 * form of several: a single object is sent, and where it is refused as malformed, a list of one, then a wrapped list.
 */
import { refusedFields } from "./error-message.ts";
import { InsuranceError, Rejected } from "./errors.ts";
import type { Account, ApiRequest, Send } from "./request.ts";

type Wrap = (body: object, name: string) => unknown;
const FORMS: Wrap[] = [(body) => body, (body) => [body], (body, name) => ({ [name]: [body] })];

/** By account and resource: the form that the insurer accepted. A restart forgets it, at the cost of two refusals. */
const acceptedForms = new Map<string, Wrap>();
const MAX_KEPT = 10_000;

/** @param name the resource in the plural, also the key of a wrapped list */
export function creationSender(send: Send, { baseUrl, key }: Account, name: "plans" | "leads") {
  const id = `${name} ${baseUrl} ${key}`;
  return async function create<T>(request: ApiRequest<T> & { body: object }): Promise<T> {
    const accepted = acceptedForms.get(id);
    let refusal: Rejected | null = null;
    for (const wrap of accepted ? [accepted] : FORMS) {
      try {
        const created = await send({ ...request, body: wrap(request.body, name) });
        remember(id, wrap);
        return created;
      } catch (error) {
        if (!(error instanceof InsuranceError)) throw error;
        // Accepted, with an answer that cannot be read: another request would create a second one.
        if (error.status !== null && error.status >= 200 && error.status < 300) remember(id, wrap);
        if (!(error instanceof Rejected && mayBeOfForm(error))) throw error;
        refusal ??= error;
      }
    }
    // The first form is the documented one: its refusal says most.
    throw refusal ?? new TypeError("No form to send");
  };
}

/** A refusal that names the customer's field has read the request: its form is right. */
const mayBeOfForm = ({ status, insurerMessage }: Rejected): boolean =>
  (status === 400 || status === 422) && refusedFields(insurerMessage, null).length === 0;

function remember(id: string, wrap: Wrap): void {
  if (acceptedForms.size >= MAX_KEPT) acceptedForms.clear();
  acceptedForms.set(id, wrap);
}
