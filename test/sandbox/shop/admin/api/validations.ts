/** The shop's rules for carts and checkouts in the Admin API: validations, and the app's Functions that can be one. */
import { z } from "zod";
import { cartValidations } from "../../functions/cart-validation.ts";
import type { FunctionFile } from "../../functions/function-file.ts";
import { gid, nextId } from "../../ids.ts";
import type { Validation } from "../../state.ts";
import type { Reader } from "./reader.ts";
import type { View } from "./view.ts";

/** A shop has no more of them that are on. */
const MOST_ACTIVE = 25;

const createInput = z.strictObject({
  functionHandle: z.string().nullish(),
  functionId: z.string().nullish(),
  title: z.string().nullish(),
  enable: z.boolean().nullish(),
  blockOnFailure: z.boolean().nullish(),
  metafields: z.array(z.never()).nullish(),
});
const updateInput = createInput.omit({ functionHandle: true, functionId: true });

/** The Functions that came with the app's version; none where tests say that it was deployed without. */
const deployed = ({ shop }: Reader): FunctionFile[] => (shop.faults.lacksFunctions ? [] : cartValidations());

export const functionViews = (read: Reader): View[] =>
  deployed(read).map(({ handle }) => functionView(read.shop.apiKey, handle));

const functionView = (appKey: string, handle: string): View => ({
  __typename: "ShopifyFunction",
  id: `01-${handle}`,
  handle,
  appKey,
  title: handle,
  apiType: "cart_checkout_validation",
});

export function validationView({
  id,
  title,
  appKey,
  functionHandle,
  enabled,
  blockOnFailure,
}: Validation): View {
  return {
    __typename: "Validation",
    id: gid("Validation", id),
    title,
    enabled,
    blockOnFailure,
    shopifyFunction: () => functionView(appKey, functionHandle),
  };
}

const problem = (field: string[], code: string, message: string): View => ({
  __typename: "ValidationUserError",
  field,
  code,
  message,
});

const tooMany = problem(
  [],
  "MAX_VALIDATIONS_ACTIVATED",
  "Cannot have more than 25 active validation functions.",
);

const isFull = ({ shop: { state } }: Reader): boolean =>
  state.validations.filter(({ enabled }) => enabled).length >= MOST_ACTIVE;

export function validationCreate(read: Reader, args: unknown): View {
  const { validation: given } = z.object({ validation: createInput }).parse(args);
  const { state, apiKey } = read.shop;
  const answer = (validation: Validation | null, ...userErrors: View[]): View => ({
    __typename: "ValidationCreatePayload",
    validation: validation && validationView(validation),
    userErrors,
  });
  const at = ["validation", "functionHandle"];
  if (given.functionHandle != null && given.functionId != null)
    return answer(
      null,
      problem(
        at,
        "MULTIPLE_FUNCTION_IDENTIFIERS",
        "Only one of function_id or function_handle can be provided.",
      ),
    );
  const handle = given.functionHandle ?? given.functionId?.replace(/^01-/, "");
  if (handle == null)
    return answer(
      null,
      problem(at, "MISSING_FUNCTION_IDENTIFIER", "Either function_id or function_handle must be provided."),
    );
  if (!deployed(read).some((each) => each.handle === handle))
    return answer(null, problem(at, "FUNCTION_NOT_FOUND", `Function ${handle} not found.`));
  const enabled = given.enable ?? false;
  if (enabled && isFull(read)) return answer(null, tooMany);
  const validation: Validation = {
    id: nextId(state, "validation"),
    title: given.title ?? handle,
    ...{ appKey: apiKey, functionHandle: handle, enabled, blockOnFailure: given.blockOnFailure ?? false },
  };
  state.validations.push(validation);
  return answer(validation);
}

export function validationUpdate(read: Reader, args: unknown): View {
  const { id, validation: given } = z.object({ id: z.string(), validation: updateInput }).parse(args);
  const found = read.shop.state.validations.find((each) => gid("Validation", each.id) === id);
  const answer = (...userErrors: View[]): View => ({
    __typename: "ValidationUpdatePayload",
    validation: userErrors.length === 0 && found ? validationView(found) : null,
    userErrors,
  });
  if (!found) return answer(problem(["id"], "NOT_FOUND", "Validation not found."));
  const enabled = given.enable ?? false;
  if (enabled && !deployed(read).some(({ handle }) => handle === found.functionHandle))
    return answer(problem(["id"], "FUNCTION_NOT_FOUND", "Function not found."));
  if (enabled && !found.enabled && isFull(read)) return answer(tooMany);
  // As the schema's defaults say: what is left out is false, not as it was.
  Object.assign(found, {
    enabled,
    blockOnFailure: given.blockOnFailure ?? false,
    title: given.title ?? found.title,
  });
  return answer();
}
