/**
 * A client of the GraphQL Admin API that respects the shop's rate limit (rate-limit.server.ts). A request waits until
 * the bucket holds its cost, and is repeated when throttled and after failures of the platform (so pass only
 * operations that may run twice). Its response is parsed.
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
  VariantLimitReached,
} from "./errors.ts";
import { readFailure } from "./failure.server.ts";
import type { Failure } from "./failure.server.ts";
import { queryCost, updateBucket, waitForPoints } from "./rate-limit.server.ts";

export interface AdminOperation<T> {
  query: string;
  variables?: Record<string, unknown>;
  /** schema of the response's `data` */
  schema: z.ZodType<T>;
  /** highest cost of the query in points; default 10 */
  requestedCost?: number;
}

/** What a client's requests have cost so far. */
export interface AdminCost {
  requests: number;
  /** actual query cost, as the platform counted it */
  points: number;
  throttled: number;
}

export interface Allowed<T> {
  data: T;
  /** names of the fields that the platform denied */
  denied: string[];
}

export interface AdminClient {
  readonly shop: string;
  readonly cost: AdminCost;
  /** @throws AdminRefused, AdminUnavailable, NoAccess, AbortError */
  request<T>(operation: AdminOperation<T>): Promise<T>;
  /**
   * As `request`, but fields that the app may not read are null, and named.
   * @throws AccessDenied where nothing is left
   */
  requestAllowed<T>(operation: AdminOperation<T>): Promise<Allowed<T>>;
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
  async function attempt<T>(operation: AdminOperation<T>): Promise<{ data: T } | { failure: Failure }> {
    const admin = await offlineAdmin(shop);
    cost.requests += 1;
    try {
      const name = `Admin API ${operationName(operation.query) ?? "query"}`;
      const response = await inSpan(name, { kind: "client", attributes: { shop } }, () =>
        admin.graphql(operation.query, { variables: operation.variables ?? {}, signal }),
      );
      const { data, extensions } = responseBody.parse(JSON.parse(storableJson(await response.text())));
      if (extensions?.cost) {
        const points = extensions.cost.actualQueryCost ?? extensions.cost.requestedQueryCost;
        cost.points += points;
        metrics.adminCost.inc(points);
        updateBucket(shop, extensions.cost.throttleStatus);
      }
      const parsed = { data: operation.schema.parse(data) };
      metrics.adminRequests.inc({ outcome: "ok" });
      return parsed;
    } catch (error) {
      signal?.throwIfAborted();
      const failure = readFailure(error);
      metrics.adminRequests.inc({ outcome: failure?.kind ?? "error" });
      if (failure === null) throw error;
      return { failure };
    }
  }

  async function requestAllowed<T>(operation: AdminOperation<T>): Promise<Allowed<T>> {
    for (let failures = 0; ;) {
      await waitForPoints(shop, operation.requestedCost ?? 10, { signal, isBackground });
      const result = await attempt(operation);
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
      const context = { shop, operation: operationName(operation.query), requestId: failure.requestId };
      if (failure.kind === "denied") {
        const allowed = operation.schema.safeParse(failure.data);
        if (!allowed.success) throw new AccessDenied(failure.message, context);
        return { data: allowed.data, denied: failure.fields };
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

  async function request<T>(operation: AdminOperation<T>): Promise<T> {
    const { data, denied } = await requestAllowed(operation);
    if (denied.length === 0) return data;
    const context = { shop, operation: operationName(operation.query), requestId: null };
    throw new AccessDenied(`no access to ${denied.join(", ")}`, context);
  }

  return { shop, cost, request, requestAllowed };
}

/** The name of a query or mutation, for errors and logs. */
export function operationName(query: string): string | null {
  return /\b(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? null;
}

/** A mutation's `userErrors`, for the response's schema. */
export const userErrors = z.array(
  z.object({ field: z.array(z.string()).nullish(), message: z.string(), code: z.string().nullish() }),
);
export type UserError = z.infer<typeof userErrors>[number];

/** Their messages in one line. */
export function joinMessages(errors: readonly UserError[]): string {
  return errors.map(({ message }) => message).join("; ");
}
