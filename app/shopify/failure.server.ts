/** How one attempt at an Admin API request can fail, read from what the library throws. */
import {
  GraphqlQueryError,
  HttpMaxRetriesError,
  HttpRequestError,
  HttpResponseError,
  HttpRetriableError,
} from "@shopify/shopify-api";
import { z } from "zod";
import { queryCost, throttleDelayMs } from "./rate-limit.server.ts";
import type { QueryCost } from "./rate-limit.server.ts";

export type Failure =
  /** The bucket is empty: the request succeeds once it has refilled. */
  | { kind: "throttled"; delayMs: number; cost: QueryCost | null }
  /** No response, or one that says that the platform is in trouble. */
  | { kind: "unavailable"; message: string; requestId: string | null }
  /** The platform does not accept the access token any more: the app was uninstalled. */
  | { kind: "revoked" }
  /** Fields that the app may not read. The data has null for them, and is null where nothing is left of it. */
  | { kind: "denied"; message: string; requestId: string | null; fields: string[]; data: unknown }
  /** More points than a single query may cost. */
  | { kind: "too_costly"; message: string; requestId: string | null }
  /** A response that stays the same however often the request is repeated. */
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

/** Null where the error is not the platform's. */
export function readFailure(error: unknown): Failure | null {
  if (error instanceof GraphqlQueryError) return readGraphqlErrors(error);
  if (error instanceof HttpRequestError || error instanceof HttpMaxRetriesError) {
    return { kind: "unavailable", message: error.message, requestId: null };
  }
  if (error instanceof HttpResponseError) {
    if (responseStatus.parse(error.response) === 401) return { kind: "revoked" };
    const requestId = responseRequestId.parse(error.response);
    // A server error, or HTTP's own throttling (429).
    const kind = error instanceof HttpRetriableError ? "unavailable" : "refused";
    // The library's own words quote the response's body.
    const status = responseStatus.parse(error.response);
    return { kind, message: `the platform responded with status ${status ?? "unknown"}`, requestId };
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
    // More than the bucket ever holds.
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
