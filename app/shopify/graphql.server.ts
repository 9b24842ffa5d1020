/**
 * A client of the GraphQL Admin API that respects the shop's rate limit (rate-limit.server.ts). A request waits until
 * the bucket has its cost. It is retried when throttled and after failures of Shopify, so pass only operations that
 * may run twice. Variables and results have the operation's generated types (operations.ts). Shopify follows its
 * published schema, so results are not parsed.
 */
import { setTimeout as wait } from "node:timers/promises";
import {
  GraphqlQueryError,
  HttpMaxRetriesError,
  HttpRequestError,
  HttpResponseError,
  HttpRetriableError,
} from "@shopify/shopify-api";
import { z } from "zod";
import { log } from "#app/platform/log.server.ts";
import { metrics } from "#app/platform/metrics.server.ts";
import { storableJson } from "#app/platform/storable-text.ts";
import { inSpan } from "#app/platform/tracing.server.ts";
import { offlineAdmin } from "./admin.server.ts";
import {
  AccessDenied,
  AdminRefused,
  AdminUnavailable,
  CostExceeded,
  NoAccess,
  UserErrors,
  VariantLimitReached,
} from "./errors.ts";
import type {
  AdminMutationText,
  AdminResult,
  AdminText,
  AdminVariables,
  MutationPayload,
} from "./operations.ts";
import {
  queryCost,
  type QueryCost,
  throttleDelayMs,
  updateBucket,
  waitForPoints,
} from "./rate-limit.server.ts";

/** The operation's variables, if it has any, and its maximum cost in points (default 10). */
type AdminRequest<Text extends AdminText> = { requestedCost?: number } & (Record<
  string,
  never
> extends AdminVariables<Text>
  ? { variables?: AdminVariables<Text> }
  : { variables: AdminVariables<Text> });

/** The cost of a client's requests so far. */
interface AdminCost {
  requests: number;
  /** actual query cost from Shopify's response */
  points: number;
  throttled: number;
}

interface Allowed<T> {
  data: T;
  /** names of the fields that Shopify denied */
  denied: string[];
}

export interface AdminClient {
  readonly shop: string;
  readonly cost: AdminCost;
  /** @throws AdminRefused, AdminUnavailable, NoAccess, AbortError */
  request<Text extends AdminText>(query: Text, request: AdminRequest<Text>): Promise<AdminResult<Text>>;
  /**
   * Runs a mutation with one field and returns its payload.
   * @throws UserErrors if Shopify does not accept the values; otherwise like `request`
   */
  mutate<Text extends AdminMutationText>(
    mutation: Text,
    request: AdminRequest<Text>,
  ): Promise<MutationPayload<Text>>;
  /**
   * Like `request`, but fields that the app may not read are null, and `denied` names them.
   * @throws AccessDenied if no data remains
   */
  requestAllowed<Text extends AdminText>(
    query: Text,
    request: AdminRequest<Text>,
  ): Promise<Allowed<AdminResult<Text>>>;
}

const responseBody = z.object({
  data: z.unknown(),
  extensions: z.object({ cost: queryCost.optional() }).optional(),
});

// Prometheus does not see an increase if a counter first appears with its first event.
for (const outcome of ["ok", "throttled", "unavailable", "error"] satisfies (
  Failure["kind"] | "ok" | "error"
)[])
  metrics.adminRequests.inc({ outcome }, 0);

/** The delay before the first retry; it doubles with each retry. */
const FIRST_RETRY_MS = 500;

export interface AdminClientOptions {
  signal?: AbortSignal;
  /** maximum number of attempts; fewer if a person waits */
  attempts?: number;
  /** no person waits: it leaves half of the shop's points to other requests */
  isBackground?: boolean;
}

export function createAdminClient(
  shop: string,
  { signal, attempts = 5, isBackground = false }: AdminClientOptions = {},
): AdminClient {
  const cost: AdminCost = { requests: 0, points: 0, throttled: 0 };

  /** Sends the request once. @throws AbortError, NoAccess, and errors that are not Shopify's failure */
  async function attempt(
    query: string,
    variables: Record<string, unknown>,
  ): Promise<{ data: unknown } | { failure: Failure }> {
    const admin = await offlineAdmin(shop);
    cost.requests += 1;
    try {
      const name = `Admin API ${operationName(query) ?? "query"}`;
      const response = await inSpan(name, { kind: "client", attributes: { shop } }, () =>
        admin.graphql(query, { variables, signal }),
      );
      const { data, extensions } = responseBody.parse(JSON.parse(storableJson(await response.text())));
      if (extensions?.cost) {
        const points = extensions.cost.actualQueryCost ?? extensions.cost.requestedQueryCost;
        cost.points += points;
        metrics.adminCost.inc(points);
        updateBucket(shop, extensions.cost.throttleStatus);
      }
      metrics.adminRequests.inc({ outcome: "ok" });
      return { data };
    } catch (error) {
      signal?.throwIfAborted();
      const failure = readFailure(error);
      metrics.adminRequests.inc({ outcome: failure?.kind ?? "error" });
      if (failure === null) throw error;
      return { failure };
    }
  }

  async function run(
    query: string,
    variables: Record<string, unknown>,
    requestedCost: number,
  ): Promise<Allowed<unknown>> {
    for (let failures = 0; ;) {
      await waitForPoints(shop, requestedCost, { signal, isBackground });
      const result = await attempt(query, variables);
      if ("data" in result) return { data: result.data, denied: [] };
      const { failure } = result;
      if (failure.kind === "throttled") {
        // Throttling is no failure: the bucket refills, and a retry succeeds.
        cost.throttled += 1;
        if (failure.cost) updateBucket(shop, failure.cost.throttleStatus);
        await wait(failure.delayMs, undefined, { signal });
        continue;
      }
      if (failure.kind === "revoked") throw new NoAccess(shop);
      const context = { shop, operation: operationName(query), requestId: failure.requestId };
      if (failure.kind === "denied") {
        // If a denied field may not be null, Shopify omits its parent, and in the end all data.
        if (failure.data === null) throw new AccessDenied(failure.message, context);
        return { data: failure.data, denied: failure.fields };
      }
      if (failure.kind === "too_costly") throw new CostExceeded(failure.message, context);
      if (failure.kind === "variant_limit") throw new VariantLimitReached(failure.message, context);
      if (failure.kind === "refused") throw new AdminRefused(failure.message, context);
      failures += 1;
      if (failures === attempts) {
        throw new AdminUnavailable(`the Admin API does not respond: ${failure.message}`, context);
      }
      log.debug(
        { ...context, reason: failure.message },
        "Failed to reach the Admin API; the request is repeated",
      );
      await wait(FIRST_RETRY_MS * 2 ** (failures - 1), undefined, { signal });
    }
  }

  async function requestAllowed<Text extends AdminText>(
    query: Text,
    { variables = {}, requestedCost = 10 }: AdminRequest<Text>,
  ): Promise<Allowed<AdminResult<Text>>> {
    const { data, denied } = await run(query, variables, requestedCost);
    // The only place that trusts Shopify without parsing: `data` has the schema's type for this text.
    return { data: data as AdminResult<Text>, denied };
  }

  async function request<Text extends AdminText>(
    query: Text,
    options: AdminRequest<Text>,
  ): Promise<AdminResult<Text>> {
    const { data, denied } = await requestAllowed(query, options);
    if (denied.length === 0) return data;
    const context = { shop, operation: operationName(query), requestId: null };
    throw new AccessDenied(`no access to ${denied.join(", ")}`, context);
  }

  async function mutate<Text extends AdminMutationText>(
    mutation: Text,
    options: AdminRequest<Text>,
  ): Promise<MutationPayload<Text>> {
    const result: object = await request(mutation, options);
    const [payload] = Object.values(result) as (MutationPayload<Text> | null)[];
    const context = { shop, operation: operationName(mutation), requestId: null };
    if (payload == null) throw new AdminRefused("Shopify returned nothing", context);
    const { userErrors } = payload;
    if (userErrors.length > 0) throw new UserErrors(userErrors, context);
    return payload;
  }

  return { shop, cost, request, mutate, requestAllowed };
}

/** The name of a query or mutation, for errors and logs. */
export function operationName(query: string): string | null {
  return /\b(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? null;
}

/** The failure of one attempt at an Admin API request, read from the library's error. */
type Failure =
  /** The bucket is empty: a retry succeeds after it has refilled. */
  | { kind: "throttled"; delayMs: number; cost: QueryCost | null }
  /** No response, or a response that reports a failure of Shopify. */
  | { kind: "unavailable"; message: string; requestId: string | null }
  /** Shopify no longer accepts the access token: the app was uninstalled. */
  | { kind: "revoked" }
  /** Fields that the app may not read. They are null in the data; the data is null if nothing remains. */
  | { kind: "denied"; message: string; requestId: string | null; fields: string[]; data: unknown }
  /** More points than a single query may cost. */
  | { kind: "too_costly"; message: string; requestId: string | null }
  /** A response that a retry does not change. */
  | { kind: "refused"; message: string; requestId: string | null }
  /** The shop may not create more variants today. */
  | { kind: "variant_limit"; message: string; requestId: string | null };

const errorBody = z.object({
  errors: z.object({
    graphQLErrors: z.array(
      z.object({
        message: z.string(),
        path: z.array(z.union([z.string(), z.int()])).optional(),
        extensions: z.object({ code: z.string().optional() }).optional(),
      }),
    ),
  }),
  data: z.unknown().optional(),
  extensions: z.object({ cost: queryCost.optional() }).optional(),
});

const header = z.union([z.string(), z.tuple([z.string()]).transform(([value]) => value)]);
const responseRequestId = z
  .object({ headers: z.object({ "X-Request-Id": header }) })
  .transform(({ headers }) => headers["X-Request-Id"])
  .nullable()
  .catch(null);

const responseStatus = z
  .object({ code: z.int() })
  .transform(({ code }) => code)
  .nullable()
  .catch(null);

/** Null if the error is not Shopify's. */
export function readFailure(error: unknown): Failure | null {
  if (error instanceof GraphqlQueryError) return readGraphqlErrors(error);
  if (error instanceof HttpRequestError || error instanceof HttpMaxRetriesError) {
    return { kind: "unavailable", message: error.message, requestId: null };
  }
  if (error instanceof HttpResponseError) {
    if (responseStatus.parse(error.response) === 401) return { kind: "revoked" };
    const requestId = responseRequestId.parse(error.response);
    // A server error, or HTTP throttling (429).
    const kind = error instanceof HttpRetriableError ? "unavailable" : "refused";
    // The library's own message quotes the response's body.
    const status = responseStatus.parse(error.response);
    return { kind, message: `Shopify responded with status ${status ?? "unknown"}`, requestId };
  }
  return null;
}

function readGraphqlErrors(error: GraphqlQueryError): Failure | null {
  const body = errorBody.safeParse(error.body);
  if (!body.success) return null;
  const requestId = responseRequestId.parse(error);
  const { graphQLErrors } = body.data.errors;
  const codes = graphQLErrors.map(({ extensions }) => extensions?.code);
  const message = graphQLErrors.map((each) => each.message).join("; ");
  if (codes.includes("THROTTLED")) {
    const cost = body.data.extensions?.cost ?? null;
    const delayMs = cost === null ? 1_000 : throttleDelayMs(cost);
    // The cost exceeds the size of the bucket.
    if (delayMs === null) return { kind: "refused", message, requestId };
    return { kind: "throttled", delayMs, cost };
  }
  if (codes.every((code) => code === "ACCESS_DENIED")) {
    const fields = graphQLErrors.flatMap(
      ({ path = [] }) => path.findLast((part) => typeof part === "string") ?? [],
    );
    const data = body.data.data ?? null;
    return { kind: "denied", message, requestId, fields: [...new Set(fields)], data };
  }
  if (codes.includes("MAX_COST_EXCEEDED")) return { kind: "too_costly", message, requestId };
  if (codes.includes("VARIANT_THROTTLE_EXCEEDED")) return { kind: "variant_limit", message, requestId };
  const isTransient = codes.includes("INTERNAL_SERVER_ERROR") || codes.includes("TIMEOUT");
  return { kind: isTransient ? "unavailable" : "refused", message, requestId };
}

/** The page is streamed, so its other parts are already visible. */
const PAGE_TIMEOUT_MS = 4_000;

/**
 * Reads shop data that a page shows beside its own data. The page also opens if Shopify does not respond.
 * @param what for the log: "the theme"
 * @returns null if Shopify is not reachable or refuses
 */
export function queryOrNull<Text extends AdminText>(
  shop: string,
  what: string,
  query: Text,
  request: AdminRequest<Text>,
): Promise<AdminResult<Text> | null> {
  return readOrNull(shop, what, (signal) =>
    createAdminClient(shop, { signal, attempts: 2 }).request(query, request),
  );
}

/** `queryOrNull` for other kinds of reads. @param read ends with its signal */
export async function readOrNull<T>(
  shop: string,
  what: string,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const signal = AbortSignal.timeout(PAGE_TIMEOUT_MS);
  try {
    return await read(signal);
  } catch (error) {
    const expected =
      signal.aborted ||
      error instanceof AdminRefused ||
      error instanceof AdminUnavailable ||
      error instanceof NoAccess;
    if (!expected) throw error;
    log.warn({ err: error, shop }, `Failed to read ${what} from Shopify`);
    return null;
  }
}
