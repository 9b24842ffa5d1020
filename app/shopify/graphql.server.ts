/**
 * A client of the GraphQL Admin API that respects the shop's rate limit: a bucket of query cost points, refilled every
 * second and shared by all our requests for a shop. A request waits until the bucket holds its cost, is repeated when
 * throttled and after failures of the platform (so pass only operations that may run twice), and parses its response.
 */
import {
  GraphqlQueryError,
  HttpRequestError,
  HttpResponseError,
  HttpRetriableError,
} from "@shopify/shopify-api";
import { LRUCache } from "lru-cache";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { log } from "#app/platform/log.server.ts";
import { offlineAdmin } from "./admin.server.ts";

/** The platform understood the operation and refused it: a missing scope, a malformed query. Repeating is useless. */
export class AdminRefused extends Error {
  override name = "AdminRefused";
}

/** The platform cannot be reached or keeps failing. */
export class AdminUnavailable extends Error {
  override name = "AdminUnavailable";
}

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

export interface AdminClient {
  readonly shop: string;
  readonly cost: AdminCost;
  /** @throws AdminRefused, AdminUnavailable, NoAccessError, AbortError */
  request<T>(operation: AdminOperation<T>): Promise<T>;
}

const throttleStatus = z.object({
  maximumAvailable: z.number(),
  currentlyAvailable: z.number(),
  restoreRate: z.number().positive(),
});
type ThrottleStatus = z.infer<typeof throttleStatus>;
const costExtension = z.object({
  requestedQueryCost: z.number(),
  actualQueryCost: z.number().nullish(),
  throttleStatus,
});
const responseBody = z.object({
  data: z.unknown(),
  extensions: z.object({ cost: costExtension.optional() }).optional(),
});
const errorBody = z.object({
  errors: z.object({
    graphQLErrors: z.array(
      z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() }),
    ),
  }),
  extensions: z.object({ cost: costExtension.optional() }).optional(),
});

/** Each shop's bucket as of its last response. */
const buckets = new LRUCache<string, ThrottleStatus & { at: number }>({ max: 10_000 });

/** @param options `attempts`: how often a failing request is sent at most; fewer where a person waits for it */
export function createAdminClient(
  shop: string,
  { signal, attempts = 5 }: { signal?: AbortSignal; attempts?: number } = {},
): AdminClient {
  const cost: AdminCost = { requests: 0, points: 0, throttled: 0 };

  /** @returns the parsed data, or how long to wait before the next attempt */
  async function attempt<T>({
    query,
    variables,
    schema,
  }: AdminOperation<T>): Promise<{ data: T } | { waitMs: number; why: string }> {
    const admin = await offlineAdmin(shop);
    cost.requests += 1;
    try {
      const response = await admin.graphql(query, { variables: variables ?? {}, signal });
      const { data: given, extensions } = responseBody.parse(await response.json());
      if (extensions?.cost) {
        cost.points += extensions.cost.actualQueryCost ?? extensions.cost.requestedQueryCost;
        updateBucket(shop, extensions.cost.throttleStatus);
      }
      return { data: schema.parse(given) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof GraphqlQueryError) {
        const retry = retryDelay(shop, error);
        if (retry.why === "throttled") cost.throttled += 1;
        return retry;
      }
      if (error instanceof HttpRequestError || error instanceof HttpRetriableError)
        return { waitMs: 500, why: error.message };
      if (error instanceof HttpResponseError)
        throw new AdminRefused(`${shop}: ${error.message}`, { cause: error });
      throw error;
    }
  }

  return {
    shop,
    cost,
    async request(operation) {
      for (let failures = 0; ;) {
        await waitForPoints(shop, operation.requestedCost ?? 10, signal);
        const result = await attempt(operation);
        if ("data" in result) return result.data;
        const { why, waitMs } = result;
        // Being throttled is not a failure: the request succeeds once the bucket has refilled.
        if (why !== "throttled") failures += 1;
        if (failures === attempts)
          throw new AdminUnavailable(`The Admin API of ${shop} does not respond: ${why}`);
        log.debug({ shop, why, waitMs }, "Admin API request is retried");
        await wait(waitMs * (why === "throttled" ? 1 : 2 ** (failures - 1)), undefined, { signal });
      }
    },
  };
}

function updateBucket(shop: string, status: ThrottleStatus): void {
  buckets.set(shop, { ...status, at: Date.now() });
}

/** Waits until the shop's bucket, as far as known, holds so many points. */
async function waitForPoints(shop: string, points: number, signal: AbortSignal | undefined): Promise<void> {
  const bucket = buckets.get(shop);
  if (!bucket) return;
  const now = bucket.currentlyAvailable + ((Date.now() - bucket.at) / 1_000) * bucket.restoreRate;
  const missing = Math.min(points, bucket.maximumAvailable) - now;
  if (missing > 0) await wait(Math.ceil((missing / bucket.restoreRate) * 1_000), undefined, { signal });
}

/** @throws AdminRefused where repeating the request is useless */
function retryDelay(shop: string, error: GraphqlQueryError): { waitMs: number; why: string } {
  const parsed = errorBody.safeParse(error.body);
  if (!parsed.success) throw error;
  const { errors, extensions } = parsed.data;
  const codes = errors.graphQLErrors.map((each) => each.extensions?.code);
  const messages = errors.graphQLErrors.map((each) => each.message).join("; ");
  if (codes.includes("THROTTLED")) {
    const callCost = extensions?.cost;
    if (!callCost) return { waitMs: 1_000, why: "throttled" };
    updateBucket(shop, callCost.throttleStatus);
    const { currentlyAvailable, maximumAvailable, restoreRate } = callCost.throttleStatus;
    if (callCost.requestedQueryCost > maximumAvailable)
      throw new AdminRefused(`${shop}: ${messages}`, { cause: error });
    const missing = Math.max(0, callCost.requestedQueryCost - currentlyAvailable);
    return { waitMs: Math.max(100, Math.ceil((missing / restoreRate) * 1_000)), why: "throttled" };
  }
  if (codes.includes("INTERNAL_SERVER_ERROR") || codes.includes("TIMEOUT"))
    return { waitMs: 500, why: messages };
  throw new AdminRefused(`${shop}: ${messages}`, { cause: error });
}

/** A mutation's `userErrors`, for the response's schema. */
export const userErrors = z.array(
  z.object({ field: z.array(z.string()).nullish(), message: z.string(), code: z.string().nullish() }),
);
export type UserError = z.infer<typeof userErrors>[number];
