/** The shop's checkout rules ("validations") that run the app's own Function (extensions/functions/cart-validation). */
import { env } from "#app/platform/env.server.ts";
import { AdminRefused, UserErrors, joinMessages } from "./errors.ts";
import { createAdminClient } from "./graphql.server.ts";
import type { AdminClientOptions } from "./graphql.server.ts";

/** The handle in extensions/functions/cart-validation/shopify.extension.toml. */
const FUNCTION_HANDLE = "cart-validation";
/** Shopify's limit of active validations per shop. */
export const MOST_ACTIVE_RULES = 25;

export interface CheckoutRule {
  id: string;
  isOn: boolean;
  /** checkouts also stop if the Function itself fails */
  blocksOnFailure: boolean;
}

export interface CheckoutRules {
  /** the rules of the app's Function; a shop can have several */
  appRules: CheckoutRule[];
  /** the number of active rules in the shop, including other apps' */
  active: number;
  /** whether the installed version of the app includes the Function */
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
    // The largest page that Shopify allows: inactive rules do not count towards the limit.
    `#graphql
    query ParasolCheckoutRules {
      shopifyFunctions(first: 50) { nodes { handle } }
      validations(first: 250) { nodes { id enabled blockOnFailure shopifyFunction { handle appKey } } }
    }`,
    { requestedCost: 50 },
  );
  return {
    appRules: validations.nodes
      .filter(
        ({ shopifyFunction: { handle, appKey } }) =>
          handle === FUNCTION_HANDLE && appKey === env.SHOPIFY_API_KEY,
      )
      .map(({ id, enabled, blockOnFailure }) => ({ id, isOn: enabled, blocksOnFailure: blockOnFailure })),
    active: validations.nodes.filter(({ enabled }) => enabled).length,
    isDeployed: shopifyFunctions.nodes.some(({ handle }) => handle === FUNCTION_HANDLE),
  };
}

/** Shopify's codes for refusing a rule, with the app's reasons. */
const refusals: Readonly<Record<string, CheckoutRuleRefusal>> = {
  MAX_VALIDATIONS_ACTIVATED: "limit_reached",
  FUNCTION_NOT_FOUND: "not_deployed",
  FUNCTION_PENDING_DELETION: "not_deployed",
  CUSTOM_APP_FUNCTION_NOT_ELIGIBLE: "not_eligible",
};
export type CheckoutRuleRefusal = "limit_reached" | "not_deployed" | "not_eligible";

/** Shopify refused a rule, for a reason that the merchant can resolve. */
export class CheckoutRuleRefused extends AdminRefused {
  override name = "CheckoutRuleRefused";
  readonly reason: CheckoutRuleRefusal;

  constructor(reason: CheckoutRuleRefusal, { errors, shop, operation, requestId }: UserErrors) {
    super(joinMessages(errors), { shop, operation, requestId });
    this.reason = reason;
  }
}

/**
 * Creates an active rule. Sent once: a retry after a lost response could create a second one.
 * @param title the name in Shopify's list of checkout rules
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

/** Activates or deactivates a rule. @throws like `createCheckoutRule` */
export async function switchCheckoutRule(
  shop: string,
  { id, isOn, blocksOnFailure }: CheckoutRule,
): Promise<void> {
  // Both default to false.
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

/** @throws CheckoutRuleRefused if the merchant can resolve it; otherwise the original error */
function explainRefusal(error: unknown): never {
  if (!(error instanceof UserErrors)) throw error;
  const reason = refusals[error.errors[0]?.code ?? ""];
  throw reason ? new CheckoutRuleRefused(reason, error) : error;
}
