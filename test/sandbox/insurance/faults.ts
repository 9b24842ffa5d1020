/** Faults on demand: what goes wrong with a request, before or after its work is done, and how it looks on the wire. */
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "@hono/zod-openapi";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { operations, type Operation } from "./operations.ts";

export const fault = z.object({
  operation: z.enum([...operations, "*"]).default("*"),
  /** Only requests for this store; without it those for any. */
  store_id: z.string().optional(),
  kind: z.enum([
    "latency", // answers correctly, but late
    "status", // refuses with `status` and `body`, the work not done unless `after_work`
    "reset_before", // the connection is reset, nothing was done
    "reset_after", // the work is done, then the connection is reset without an answer
    "hang_before", // never answers, nothing was done
    "hang_after", // the work is done, never answers
    "truncated", // the work is done, a complete answer holds half of the JSON
    "cut", // the work is done, the connection breaks in the middle of the answer
    "drip", // the work is done, the answer comes in `pieces` chunks, `ms` apart
    "garbage", // the work is done, the answer is a success with a page of HTML
    "empty", // the work is done, the answer is a success without a body
    "json", // the work is done, the answer is a success with `answer` as its JSON
  ]),
  /** Latency before anything else; between the chunks of a drip. */
  ms: z.int().nonnegative().default(0),
  status: z.int().min(300).max(599).default(503),
  body: z.enum(["json", "html", "empty"]).default("json"),
  /** The message in a JSON body. */
  message: z.string().default("A fault was requested"),
  /** The `Retry-After` header: seconds or an HTTP date. */
  retry_after: z.string().optional(),
  /** For `status`: do the work first, then say that it failed. */
  after_work: z.boolean().default(false),
  pieces: z.int().positive().default(10),
  answer: z.json().default(null),
  /** Let this many requests pass first. */
  skip: z.int().nonnegative().default(0),
  /** How many requests it hits; null: until it is removed. */
  times: z.int().positive().nullable().default(1),
});
export type Fault = z.infer<typeof fault>;

export interface Faults {
  list: Fault[];
  /** The first fault that applies to this request, counted. `path` is without the query string. */
  take(operation: Operation, path: string): Fault | null;
}

export function createFaults(): Faults {
  const list: Fault[] = [];
  return {
    list,
    take(operation, path) {
      const hit = list.find(
        (candidate) =>
          (candidate.operation === "*" || candidate.operation === operation) &&
          (candidate.store_id === undefined || path.split("/").includes(candidate.store_id)),
      );
      if (!hit) return null;
      if (hit.skip > 0) {
        hit.skip -= 1;
        return null;
      }
      if (hit.times !== null) {
        hit.times -= 1;
        if (hit.times <= 0) list.splice(list.indexOf(hit), 1);
      }
      return hit;
    },
  };
}

/**
 * Answers a request the way the fault says.
 * @param work does what the request wants
 * @param outgoing the raw answer, for what cannot be said with a Response
 */
export async function respondWithFault(
  { kind, ms, pieces, answer, ...rest }: Fault,
  work: () => Promise<Response>,
  outgoing: ServerResponse,
): Promise<Response> {
  if (kind !== "drip" && ms > 0) await wait(ms);
  switch (kind) {
    case "latency":
      return work();
    case "status":
      if (rest.after_work) await work();
      return refusal(rest);
    case "reset_before":
    case "reset_after":
      if (kind === "reset_after") await work();
      outgoing.socket?.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    case "hang_before":
    case "hang_after":
      if (kind === "hang_after") await work();
      return RESPONSE_ALREADY_SENT;
    case "garbage":
      await work();
      return html("<!doctype html><title>Maintenance</title><h1>Back soon</h1>", 200);
    case "empty":
      await work();
      return new Response("", { status: 200 });
    case "json":
      await work();
      return Response.json(answer);
    case "truncated": {
      const response = await work();
      const text = await response.text();
      return new Response(text.slice(0, text.length / 2), {
        status: response.status,
        headers: { "content-type": "application/json" },
      });
    }
    case "cut": {
      const bytes = await sendHead(work, outgoing);
      await new Promise((sent) => outgoing.write(bytes.subarray(0, bytes.length / 2), sent));
      outgoing.socket?.destroy();
      return RESPONSE_ALREADY_SENT;
    }
    case "drip": {
      const bytes = await sendHead(work, outgoing);
      const size = Math.ceil(bytes.length / pieces);
      for (let at = 0; at < bytes.length && !outgoing.destroyed; at += size) {
        outgoing.write(bytes.subarray(at, at + size));
        await wait(ms);
      }
      outgoing.end();
      return RESPONSE_ALREADY_SENT;
    }
  }
}

/** Does the work and sends the head of its answer; returns the body that is still to be sent. */
async function sendHead(work: () => Promise<Response>, outgoing: ServerResponse): Promise<Buffer> {
  const response = await work();
  const bytes = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, { "content-type": "application/json", "content-length": bytes.length });
  return bytes;
}

function refusal({
  status,
  body,
  message,
  retry_after,
}: Pick<Fault, "status" | "body" | "message" | "retry_after">) {
  const response =
    body === "json"
      ? Response.json({ error: "fault", message }, { status })
      : body === "html"
        ? html(`<!doctype html><title>${status}</title><h1>${status}</h1><p>nginx</p>`, status)
        : new Response(null, { status });
  if (retry_after !== undefined) response.headers.set("retry-after", retry_after);
  if (status < 400) response.headers.set("location", "/elsewhere");
  return response;
}

function html(text: string, status: number): Response {
  return new Response(text, { status, headers: { "content-type": "text/html" } });
}
