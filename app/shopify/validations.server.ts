/** The shop's checkout rules ("validations") that run the app's own Function (extensions/functions/cart-validation). */
import { env } from "#app/platform/env.server.ts";
import { AdminRefused, UserErrors, joinMessages } from "./errors.ts";
import { createAdminClient } from "./graphql.server.ts";
import type { AdminClientOptions } from "./graphql.server.ts";

/** As extensions/functions/cart-validation/shopify.extension.toml names it. */
const FUNCTION_HANDLE = "cart-validation";
/** Limit of active validations that Shopify lets a shop have. */
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

/** @throws AccessDenied without the scopes; AdminRefused, AdminUnavailable, NoAccess */
export async function readCheckoutRules(
  shop: string,
  options: AdminClientOptions = {},
): Promise<CheckoutRules> {
  const { shopifyFunctions, validations } = await createAdminClient(shop, {
    attempts: 2,
    ...options,
  }).request(
    // A page is as long as Shopify allows: rules that are off count towards no limit.
    `#graphql
    query ParasolCheckoutRules {
      shopifyFunctions(first: 50) { nodes { handle } }
      validations(first: 250) { nodes { id enabled blockOnFailure shopifyFunction { handle appKey } } }
    }`,
    { requestedCost: 50 },
  );
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

/** Why Shopify did not take a rule; its own codes for it. */
const refusals: Readonly<Record<string, CheckoutRuleRefusal>> = {
  MAX_VALIDATIONS_ACTIVATED: "limit_reached",
  FUNCTION_NOT_FOUND: "not_deployed",
  FUNCTION_PENDING_DELETION: "not_deployed",
  CUSTOM_APP_FUNCTION_NOT_ELIGIBLE: "not_eligible",
};
export type CheckoutRuleRefusal = "limit_reached" | "not_deployed" | "not_eligible";

/** Shopify did not take a rule, for a reason that the merchant can do something about. */
export class CheckoutRuleRefused extends AdminRefused {
  override name = "CheckoutRuleRefused";
  readonly reason: CheckoutRuleRefusal;

  constructor(reason: CheckoutRuleRefusal, { errors, shop, operation, requestId }: UserErrors) {
    super(joinMessages(errors), { shop, operation, requestId });
    this.reason = reason;
  }
}

/**
 * A new rule that is on. Sent once: a repetition after a lost response could make a second one.
 * @param title as the merchant sees it among the checkout rules
 * @throws CheckoutRuleRefused; AccessDenied, AdminRefused, AdminUnavailable, NoAccess
 */
export async function createCheckoutRule(shop: string, title: string): Promise<void> {
  const validation = { functionHandle: FUNCTION_HANDLE, title, enable: true, blockOnFailure: false };
  await createAdminClient(shop, { attempts: 1 })
    .mutate(
      `#graphql
      mutation ParasolCreateCheckoutRule($validation: ValidationCreateInput!) {
        validationCreate(validation: $validation) { userErrors { field message code } } }`,
      { variables: { validation } },
    )
    .catch(explainRefusal);
}

/** Activates or deactivates a rule. @throws as `createCheckoutRule` */
export async function switchCheckoutRule(
  shop: string,
  { id, isOn, blocksOnFailure }: CheckoutRule,
): Promise<void> {
  // Both are false where they are left out.
  const validation = { enable: isOn, blockOnFailure: blocksOnFailure };
  await createAdminClient(shop, { attempts: 2 })
    .mutate(
      `#graphql
      mutation ParasolSwitchCheckoutRule($id: ID!, $validation: ValidationUpdateInput!) {
        validationUpdate(id: $id, validation: $validation) { userErrors { field message code } } }`,
      { variables: { id, validation } },
    )
    .catch(explainRefusal);
}

/** @throws CheckoutRuleRefused where the merchant can do something about it; else the error as it is */
function explainRefusal(error: unknown): never {
  if (!(error instanceof UserErrors)) throw error;
  const reason = refusals[error.errors[0]?.code ?? ""];
  throw reason ? new CheckoutRuleRefused(reason, error) : error;
}
