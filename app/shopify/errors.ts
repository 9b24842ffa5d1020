/**
 * Errors of the connection to Shopify, named by their meaning for the caller. Every error names the shop and the
 * operation. None contains a token, the variables or a customer's data.
 */
import { AppError } from "#app/platform/app-error.ts";

/** The data of a request that may be logged. */
export interface OperationContext {
  shop: string;
  /** the GraphQL operation's name, such as `ParasolOrder`; null outside one */
  operation: string | null;
  /** Shopify's id of the request (`X-Request-Id`), for its support; null if there was no response */
  requestId: string | null;
}

export class ShopError extends AppError {
  override name = "ShopError";
  readonly shop: string;
  readonly operation: string | null;
  readonly requestId: string | null;

  constructor(message: string, { shop, operation, requestId }: OperationContext, options?: ErrorOptions) {
    const subject = operation === null ? shop : `${operation} of ${shop}`;
    super(`${subject}: ${message}${requestId === null ? "" : ` (request ${requestId})`}`, options);
    this.shop = shop;
    this.operation = operation;
    this.requestId = requestId;
  }
}

/** The app has no access to this shop: never installed, uninstalled, or its access token is no longer accepted. */
export class NoAccess extends ShopError {
  override name = "NoAccess";

  constructor(shop: string) {
    super("the app has no access", { shop, operation: null, requestId: null });
  }
}

/** Shopify understood the operation and refused it: a missing scope, a malformed query. A retry is useless. */
export class AdminRefused extends ShopError {
  override name = "AdminRefused";
}

/** A mutation's error about values that it does not accept. */
export interface UserError {
  /** the path of the value: `["input", "variants", "12", "price"]` */
  field?: readonly string[] | null;
  message: string;
  code?: string | null;
}

/** Shopify does not accept the values of a mutation and did not execute it. */
export class UserErrors extends AdminRefused {
  override name = "UserErrors";
  readonly errors: readonly UserError[];

  constructor(errors: readonly UserError[], context: OperationContext) {
    super(joinMessages(errors), context);
    this.errors = errors;
  }
}

/** The messages of user errors in one line. */
export function joinMessages(errors: readonly UserError[]): string {
  return errors.map(({ message }) => message).join("; ");
}

/**
 * Shopify withholds a part of the requested data: a scope is missing, or the approval for protected customer data.
 */
export class AccessDenied extends AdminRefused {
  override name = "AccessDenied";
}

/** The query exceeds the cost limit of a single query. A smaller page is accepted. */
export class CostExceeded extends AdminRefused {
  override name = "CostExceeded";
}

/**
 * The shop has reached its daily limit of new variants: 1,000 with more than 50,000 variants. Nothing was written.
 */
export class VariantLimitReached extends AdminRefused {
  override name = "VariantLimitReached";
}

/** Shopify is not reachable or keeps failing. A later retry may succeed. */
export class AdminUnavailable extends ShopError {
  override name = "AdminUnavailable";
}

/** A bulk operation failed, was cancelled or expired. */
export class BulkFailed extends ShopError {
  override name = "BulkFailed";
}

/** Shopify refused the values of the app's own metafields. */
export class MetafieldsRefused extends ShopError {
  override name = "MetafieldsRefused";
}

/**
 * Why staff cannot see Shopify's data: the app is not approved for it, or Shopify does not answer.
 * @throws errors that are not Shopify's failure
 */
export function whyUnreadable(error: unknown): "no_access" | "unavailable" {
  const isTimeout = error instanceof DOMException && error.name === "TimeoutError";
  if (!isTimeout && !(error instanceof ShopError)) throw error;
  return error instanceof AccessDenied ? "no_access" : "unavailable";
}
