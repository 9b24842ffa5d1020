/**
 * Spans of the work between a webhook and its plan. They cost next to nothing unless the environment says where traces
 * go (app/processes/trace-export.server.ts). Attributes are ids of the app and Shopify, never a person's data.
 *
 * A trace continues in jobs, which carry their sender's context. The context of a request from outside is ignored: its
 * sender could join their requests to other traces.
 */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, propagation, trace } from "@opentelemetry/api";
import type { Context, Span } from "@opentelemetry/api";

interface SpanOptions {
  /** `server`: an incoming request; `consumer`: a job; `client`: an outgoing request */
  kind: "server" | "consumer" | "client";
  /** what it belongs to: a job's sender (`currentTraceparent`), or nothing; left out: the span around it */
  parent?: { traceparent: string | undefined };
  attributes?: Record<string, string | number>;
}

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };

/** Does the work in a span. One whose work throws says so, with the error's name alone. */
export function inSpan<T>(
  name: string,
  { kind, parent, attributes = {} }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const options = { kind: kinds[kind], attributes };
  return trace.getTracer("parasol").startActiveSpan(name, options, parentContext(parent), async (span) => {
    try {
      return await work(span);
    } catch (error) {
      const message = error instanceof Error ? error.name : "";
      span.setStatus({ code: SpanStatusCode.ERROR, message });
      throw error;
    } finally {
      span.end();
    }
  });
}

function parentContext(parent: SpanOptions["parent"]): Context {
  return parent === undefined ? context.active() : propagation.extract(ROOT_CONTEXT, parent);
}

/** The span that work belongs to, as W3C's `traceparent`, for the jobs that it sends. Undefined: tracing is off. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}
