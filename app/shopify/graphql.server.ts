/**
 * Calls of the Admin API that mind the shop's rate limit: it is a bucket of points that refills by the second, shared
 * by all our calls for a shop. A call waits until the bucket holds what it will cost, survives being throttled, is
 * repeated after a failure of the platform (give it only operations that may run twice), and parses its answer.
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
import { adminFor } from "./admin.server.ts";

/** The platform understood the operation and refused it: a missing scope, a malformed query. Repeating is useless. */
export class AdminRefused extends Error {
  override name = "AdminRefused";
}

/** The platform cannot be reached or keeps failing. */
export class AdminUnavailable extends Error {
  override name = "AdminUnavailable";
}

export interface AdminCall<T> {
  query: string;
  variables?: Record<string, unknown>;
  /** schema of the answer's `data` */
  data: z.ZodType<T>;
  /** what the call will cost at most, where that depends on its input; default 10 points */
  points?: number;
}

/** What a caller has spent so far. */
export interface AdminSpent {
  calls: number;
  /** points, as the platform counted them */
  points: number;
  throttled: number;
}

export interface AdminCaller {
  readonly shop: string;
  readonly spent: AdminSpent;
  /** @throws AdminRefused, AdminUnavailable, NoAccessError, AbortError */
  call<T>(call: AdminCall<T>): Promise<T>;
}

const throttleStatus = z.object({
  maximumAvailable: z.number(),
  currentlyAvailable: z.number(),
  restoreRate: z.number().positive(),
});
type ThrottleStatus = z.infer<typeof throttleStatus>;
const cost = z.object({
  requestedQueryCost: z.number(),
  actualQueryCost: z.number().nullish(),
  throttleStatus,
});
const envelope = z.object({ data: z.unknown(), extensions: z.object({ cost: cost.optional() }).optional() });
const failure = z.object({
  errors: z.object({
    graphQLErrors: z.array(
      z.object({ message: z.string(), extensions: z.object({ code: z.string().optional() }).optional() }),
    ),
  }),
  extensions: z.object({ cost: cost.optional() }).optional(),
});

/** Each shop's bucket as the last answer showed it. */
const buckets = new LRUCache<string, ThrottleStatus & { at: number }>({ max: 10_000 });

/** @param options `attempts`: how often a call that fails is made at most; fewer where a person waits for it */
export function adminCaller(
  shop: string,
  { signal, attempts = 5 }: { signal?: AbortSignal; attempts?: number } = {},
): AdminCaller {
  const spent: AdminSpent = { calls: 0, points: 0, throttled: 0 };

  /** @returns the parsed data, or how long to wait before trying again */
  async function attempt<T>({
    query,
    variables,
    data,
  }: AdminCall<T>): Promise<{ data: T } | { waitMs: number; why: string }> {
    const admin = await adminFor(shop);
    spent.calls += 1;
    try {
      const answer = await admin.graphql(query, { variables: variables ?? {}, signal });
      const { data: given, extensions } = envelope.parse(await answer.json());
      if (extensions?.cost) {
        spent.points += extensions.cost.actualQueryCost ?? extensions.cost.requestedQueryCost;
        remember(shop, extensions.cost.throttleStatus);
      }
      return { data: data.parse(given) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof GraphqlQueryError) {
        const pause = afterRefusal(shop, error);
        if (pause.why === "throttled") spent.throttled += 1;
        return pause;
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
    spent,
    async call(call) {
      for (let failures = 0; ;) {
        await waitFor(shop, call.points ?? 10, signal);
        const result = await attempt(call);
        if ("data" in result) return result.data;
        const { why, waitMs } = result;
        // Being throttled is no failure: the bucket fills, the call goes through.
        if (why !== "throttled") failures += 1;
        if (failures === attempts)
          throw new AdminUnavailable(`The Admin API of ${shop} does not answer: ${why}`);
        log.debug({ shop, why, waitMs }, "Admin API: again after a pause");
        await wait(waitMs * (why === "throttled" ? 1 : 2 ** (failures - 1)), undefined, { signal });
      }
    },
  };
}

function remember(shop: string, status: ThrottleStatus): void {
  buckets.set(shop, { ...status, at: Date.now() });
}

/** Waits until the bucket holds so many points, as far as we know it. */
async function waitFor(shop: string, points: number, signal: AbortSignal | undefined): Promise<void> {
  const bucket = buckets.get(shop);
  if (!bucket) return;
  const now = bucket.currentlyAvailable + ((Date.now() - bucket.at) / 1_000) * bucket.restoreRate;
  const missing = Math.min(points, bucket.maximumAvailable) - now;
  if (missing > 0) await wait(Math.ceil((missing / bucket.restoreRate) * 1_000), undefined, { signal });
}

/** @throws AdminRefused unless the platform only asked for patience */
function afterRefusal(shop: string, error: GraphqlQueryError): { waitMs: number; why: string } {
  const parsed = failure.safeParse(error.body);
  if (!parsed.success) throw error;
  const { errors, extensions } = parsed.data;
  const codes = errors.graphQLErrors.map((each) => each.extensions?.code);
  const words = errors.graphQLErrors.map((each) => each.message).join("; ");
  if (codes.includes("THROTTLED")) {
    const spent = extensions?.cost;
    if (!spent) return { waitMs: 1_000, why: "throttled" };
    remember(shop, spent.throttleStatus);
    const { currentlyAvailable, maximumAvailable, restoreRate } = spent.throttleStatus;
    if (spent.requestedQueryCost > maximumAvailable)
      throw new AdminRefused(`${shop}: ${words}`, { cause: error });
    const missing = Math.max(0, spent.requestedQueryCost - currentlyAvailable);
    return { waitMs: Math.max(100, Math.ceil((missing / restoreRate) * 1_000)), why: "throttled" };
  }
  if (codes.includes("INTERNAL_SERVER_ERROR") || codes.includes("TIMEOUT"))
    return { waitMs: 500, why: words };
  throw new AdminRefused(`${shop}: ${words}`, { cause: error });
}

/** The list of a mutation's complaints, for the answer's schema. */
export const userErrors = z.array(
  z.object({ field: z.array(z.string()).nullish(), message: z.string(), code: z.string().nullish() }),
);
export type UserError = z.infer<typeof userErrors>[number];
