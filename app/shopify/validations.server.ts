/** The shop's checkout rules ("validations") that run the app's own Function (extensions/functions/cart-validation). */
import { z } from "zod";
import { env } from "#app/platform/env.server.ts";
import { AdminRefused } from "./errors.ts";
import { createAdminClient, userErrors } from "./graphql.server.ts";
import type { AdminClientOptions, UserError } from "./graphql.server.ts";

/** As extensions/functions/cart-validation/shopify.extension.toml names it. */
const FUNCTION_HANDLE = "cart-validation";
/** Limit of active validations that the platform lets a shop have. */
export const MOST_ACTIVE_RULES = 25;

export interface CheckoutRule {
  id: string;
  isOn: boolean;
  /** checkouts stop, too, where the Function itself fails */
  blocksOnFailure: boolean;
}

export interface CheckoutRules {
  /** those of the app's Function; a shop can have several of one */
  own: CheckoutRule[];
  /** how many rules are active in the shop, other apps' among them */
  active: number;
  /** whether the Function came with the installed version of the app */
  isDeployed: boolean;
}

/** A page is as long as the platform allows: rules that are off count towards no limit. */
const rules = z.object({
  shopifyFunctions: z.object({ nodes: z.array(z.object({ handle: z.string() })) }),
  validations: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        enabled: z.boolean(),
        blockOnFailure: z.boolean(),
        shopifyFunction: z.object({ handle: z.string(), appKey: z.string() }),
      }),
    ),
  }),
});

/** @throws AccessDenied without the scopes; AdminRefused, AdminUnavailable, NoAccess */
export async function readCheckoutRules(
  shop: string,
  options: AdminClientOptions = {},
): Promise<CheckoutRules> {
  const { shopifyFunctions, validations } = await createAdminClient(shop, {
    attempts: 2,
    ...options,
  }).request({
    query: `#graphql
    query ParasolCheckoutRules {
      shopifyFunctions(first: 50) { nodes { handle } }
      validations(first: 250) { nodes { id enabled blockOnFailure shopifyFunction { handle appKey } } }
    }`,
    schema: rules,
    requestedCost: 50,
  });
  return {
    own: validations.nodes
      .filter(
        ({ shopifyFunction: { handle, appKey } }) =>
          handle === FUNCTION_HANDLE && appKey === env.SHOPIFY_API_KEY,
      )
      .map(({ id, enabled, blockOnFailure }) => ({ id, isOn: enabled, blocksOnFailure: blockOnFailure })),
    active: validations.nodes.filter(({ enabled }) => enabled).length,
    isDeployed: shopifyFunctions.nodes.some(({ handle }) => handle === FUNCTION_HANDLE),
  };
}

/** Why the platform did not take a rule; its own codes for it. */
const refusals: Readonly<Record<string, CheckoutRuleRefusal>> = {
  MAX_VALIDATIONS_ACTIVATED: "limit_reached",
  FUNCTION_NOT_FOUND: "not_deployed",
  FUNCTION_PENDING_DELETION: "not_deployed",
  CUSTOM_APP_FUNCTION_NOT_ELIGIBLE: "not_eligible",
};
export type CheckoutRuleRefusal = "limit_reached" | "not_deployed" | "not_eligible";

/** The platform did not take a rule, for a reason that the merchant can do something about. */
export class CheckoutRuleRefused extends AdminRefused {
  override name = "CheckoutRuleRefused";
  readonly reason: CheckoutRuleRefusal;

  constructor(reason: CheckoutRuleRefusal, message: string, shop: string, operation: string) {
    super(message, { shop, operation, requestId: null });
    this.reason = reason;
  }
}

/**
 * A new rule that is on. Sent once: a repetition after a lost response could make a second one.
 * @param title as the merchant sees it among the checkout rules
 * @throws CheckoutRuleRefused; AccessDenied, AdminRefused, AdminUnavailable, NoAccess
 */
export async function createCheckoutRule(shop: string, title: string): Promise<void> {
  const { validationCreate } = await createAdminClient(shop, { attempts: 1 }).request({
    query: `#graphql
    mutation ParasolCreateCheckoutRule($validation: ValidationCreateInput!) {
      validationCreate(validation: $validation) { userErrors { field message code } } }`,
    variables: {
      validation: { functionHandle: FUNCTION_HANDLE, title, enable: true, blockOnFailure: false },
    },
    schema: z.object({ validationCreate: z.object({ userErrors }) }),
  });
  refuseErrors(shop, "ParasolCreateCheckoutRule", validationCreate.userErrors);
}

/** Activates or deactivates a rule. @throws as `createCheckoutRule` */
export async function switchCheckoutRule(
  shop: string,
  { id, isOn, blocksOnFailure }: CheckoutRule,
): Promise<void> {
  const { validationUpdate } = await createAdminClient(shop, { attempts: 2 }).request({
    query: `#graphql
    mutation ParasolSwitchCheckoutRule($id: ID!, $validation: ValidationUpdateInput!) {
      validationUpdate(id: $id, validation: $validation) { userErrors { field message code } } }`,
    // Both are false where they are left out.
    variables: { id, validation: { enable: isOn, blockOnFailure: blocksOnFailure } },
    schema: z.object({ validationUpdate: z.object({ userErrors }) }),
  });
  refuseErrors(shop, "ParasolSwitchCheckoutRule", validationUpdate.userErrors);
}

function refuseErrors(shop: string, operation: string, errors: readonly UserError[]): void {
  const [problem] = errors;
  if (!problem) return;
  const reason = refusals[problem.code ?? ""];
  if (reason) throw new CheckoutRuleRefused(reason, problem.message, shop, operation);
  throw new AdminRefused(problem.message, { shop, operation, requestId: null });
}
