/** Faults on demand, the same in both stand-ins: which request fails, and how the failure looks on the wire. */
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { z } from "zod";

const fault = z.object({
  /**
   * An endpoint of the insurer; or of the shop a GraphQL operation's name, `admin` for any operation, `token` for
   * access tokens; `*` for every request.
   */
  operation: z.string().default("*"),
  /** Limits the fault to requests for this store of the insurer; default: any store. */
  store_id: z.string().optional(),
  kind: z
    .enum([
      "latency", // answers correctly, but late
      "status", // answers with `status` and `body`, the work not done unless `after_work`
      "throttled", // the shop: no points are left, nothing was done
      "reset_before", // the connection is reset, nothing was done
      "reset_after", // the work is done, then the connection is reset without an answer
      "hang_before", // never answers, nothing was done
      "hang_after", // the work is done, never answers
      "truncated", // the work is done, a complete answer holds half of the JSON
      "cut", // the work is done, the connection breaks in the middle of the answer
      "drip", // the work is done, the answer comes in `pieces` chunks, `ms` apart
      "garbage", // the work is done, the answer is a success with a page of HTML
      "empty", // the work is done, the answer is a success without a body
      "location", // the same with the address of the new contract in a Location header
      "json", // the work is done, the answer is a success with `answer` as its JSON
    ])
    .default("status"),
  /** Latency before the request; for a drip, the time between chunks. */
  ms: z.int().nonnegative().default(0),
  /** The request waits for this promise: `Faults.hold`. */
  until: z.custom<Promise<unknown>>((value) => value instanceof Promise).optional(),
  status: z.int().min(200).max(599).default(503),
  body: z.enum(["json", "html", "empty"]).default("json"),
  /** The message in a JSON body. */
  message: z.string().default("A fault was requested"),
  /** The `Retry-After` header: seconds or an HTTP date. */
  retry_after: z.string().optional(),
  /** For `status`: do the work first, then answer with the failure. */
  after_work: z.boolean().default(false),
  pieces: z.int().positive().default(10),
  answer: z.json().default(null),
  /** Number of requests to pass before the first fault. */
  skip: z.int().nonnegative().default(0),
  /** Number of requests to fail; null: until the fault is removed. */
  times: z.int().positive().nullable().default(1),
});
type Fault = z.infer<typeof fault>;
/** Missing values have their default. */
export type NewFault = z.input<typeof fault>;

/** A call of the shop's Admin API that waits for a moment. */
const THROTTLED = {
  errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }],
  extensions: {
    cost: {
      requestedQueryCost: 10,
      actualQueryCost: null,
      throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 0, restoreRate: 100 },
    },
  },
};

/** Passed by `serveFetch` to a Hono app beside the request. */
export interface ServedByNode {
  Bindings: { outgoing: ServerResponse };
}

/** The faults of one stand-in. */
export class Faults {
  /** The pending faults. */
  readonly list: Fault[] = [];

  add(...faults: NewFault[]): void {
    this.list.push(...faults.map((each) => fault.parse(each)));
  }

  /** The next `times` requests of an operation (one) wait until the returned function is called. */
  hold(operation: string, { skip, times }: Pick<NewFault, "skip" | "times"> = {}): () => void {
    const { promise: until, resolve } = Promise.withResolvers<null>();
    this.add({ operation, kind: "latency", until, skip, times });
    return () => resolve(null);
  }

  clear(): void {
    this.list.length = 0;
  }

  /** Handles a request, unless a fault applies to it. */
  async answer(
    names: readonly string[],
    work: () => Promise<Response>,
    outgoing: ServerResponse,
  ): Promise<Response> {
    const hit = this.take(names);
    return hit === null ? work() : respondWithFault(hit, work, outgoing);
  }

  /**
   * The first fault for this request; it counts as used.
   * @param names of its operation
   * @param path without the query string
   */
  take(names: readonly string[], path = ""): Fault | null {
    const hit = this.list.find(
      ({ operation, store_id }) =>
        (operation === "*" || names.includes(operation)) &&
        (store_id === undefined || path.split("/").includes(store_id)),
    );
    if (!hit) return null;
    if (hit.skip > 0) {
      hit.skip -= 1;
      return null;
    }
    if (hit.times !== null) {
      hit.times -= 1;
      if (hit.times <= 0) this.list.splice(this.list.indexOf(hit), 1);
    }
    return hit;
  }
}

const created = z.object({ contract_id: z.string() });

/**
 * Answers a request with the fault.
 * @param work handles the request
 * @param outgoing the raw response, for faults that a Response cannot express
 */
export async function respondWithFault(
  { kind, ms, until, pieces, answer, ...refusal }: Fault,
  work: () => Promise<Response>,
  outgoing: ServerResponse,
): Promise<Response> {
  if (kind !== "drip" && ms > 0) await wait(ms);
  await until;
  switch (kind) {
    case "latency":
      return work();
    case "status":
      if (refusal.after_work) await work();
      return refuse(refusal);
    case "throttled":
      return Response.json(THROTTLED);
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
    case "location": {
      const { contract_id: id } = created.parse(await (await work()).json());
      return new Response("", { status: 201, headers: { location: `/api/v2/plans/${id}` } });
    }
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

/** Handles the request and sends the head of its response; returns the unsent body. */
async function sendHead(work: () => Promise<Response>, outgoing: ServerResponse): Promise<Buffer> {
  const response = await work();
  const bytes = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, { "content-type": "application/json", "content-length": bytes.length });
  return bytes;
}

function refuse({
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
  if (status < 400) response.headers.set("location", "http://elsewhere.invalid/");
  return response;
}

function html(text: string, status: number): Response {
  return new Response(text, { status, headers: { "content-type": "text/html" } });
}
