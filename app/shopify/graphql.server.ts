/**
 * A client of the GraphQL Admin API that respects the shop's rate limit (rate-limit.server.ts). A request waits until
 * the bucket holds its cost, and is repeated when throttled and after failures of the platform (so pass only
 * operations that may run twice). Variables and result have the operation's generated types (operations.ts): the
 * platform answers by its published schema, so a result is not parsed a second time.
 */
import { setTimeout as wait } from "node:timers/promises";
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
import { readFailure } from "./failure.server.ts";
import type { Failure } from "./failure.server.ts";
import type {
  AdminMutationText,
  AdminResult,
  AdminText,
  AdminVariables,
  MutationPayload,
} from "./operations.ts";
import { queryCost, updateBucket, waitForPoints } from "./rate-limit.server.ts";

/** Variables, where the operation has any, and its highest cost in points (10 where it is left out). */
export type AdminRequest<Text extends AdminText> = { requestedCost?: number } & (Record<
  string,
  never
> extends AdminVariables<Text>
  ? { variables?: AdminVariables<Text> }
  : { variables: AdminVariables<Text> });

/** What a client's requests have cost so far. */
export interface AdminCost {
  requests: number;
  /** actual query cost, as the platform counted it */
  points: number;
  throttled: number;
}

interface Allowed<T> {
  data: T;
  /** names of the fields that the platform denied */
  denied: string[];
}

export interface AdminClient {
  readonly shop: string;
  readonly cost: AdminCost;
  /** @throws AdminRefused, AdminUnavailable, NoAccess, AbortError */
  request<Text extends AdminText>(query: Text, request: AdminRequest<Text>): Promise<AdminResult<Text>>;
  /**
   * A mutation of one field: its payload.
   * @throws UserErrors where the platform does not accept the values; else as `request`
   */
  mutate<Text extends AdminMutationText>(
    mutation: Text,
    request: AdminRequest<Text>,
  ): Promise<MutationPayload<Text>>;
  /**
   * As `request`, but fields that the app may not read are null, and named.
   * @throws AccessDenied where nothing is left
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

// Prometheus sees no increase where a counter first appears with its first event.
for (const outcome of ["ok", "throttled", "unavailable", "error"] satisfies (
  Failure["kind"] | "ok" | "error"
)[])
  metrics.adminRequests.inc({ outcome }, 0);

/** The wait before the first repetition; it doubles with each further one. */
const FIRST_RETRY_MS = 500;

export interface AdminClientOptions {
  signal?: AbortSignal;
  /** how often a failing request is sent at most; fewer where a person waits for it */
  attempts?: number;
  /** nobody waits for it: it leaves half of the shop's points to others */
  isBackground?: boolean;
}

export function createAdminClient(
  shop: string,
  { signal, attempts = 5, isBackground = false }: AdminClientOptions = {},
): AdminClient {
  const cost: AdminCost = { requests: 0, points: 0, throttled: 0 };

  /** Sends the request once. @throws AbortError, NoAccess, and what is not the platform's failure */
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
        // Not a failure: the bucket refills, and the request succeeds.
        cost.throttled += 1;
        if (failure.cost) updateBucket(shop, failure.cost.throttleStatus);
        await wait(failure.delayMs, undefined, { signal });
        continue;
      }
      if (failure.kind === "revoked") throw new NoAccess(shop);
      const context = { shop, operation: operationName(query), requestId: failure.requestId };
      if (failure.kind === "denied") {
        // Where a denied field may not be null, the platform leaves out what it belongs to, in the end all data.
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
    // The one place that takes the platform at its word: `data` is what the published schema says of this text.
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
    if (payload == null) throw new AdminRefused("the platform returned nothing", context);
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
