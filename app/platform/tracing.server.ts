/**
 * Spans of the work between a webhook and its plan. They cost almost nothing unless traces are configured
 * (app/processes/trace-export.server.ts). Attributes are ids of the app and Shopify, never personal data.
 *
 * A trace continues in jobs, which carry their sender's context. The context of an external request is ignored: its
 * sender could join their requests to other traces.
 */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, propagation, trace } from "@opentelemetry/api";
import type { Context, Span } from "@opentelemetry/api";

interface SpanOptions {
  /** `server`: an incoming request; `consumer`: a job; `client`: an outgoing request */
  kind: "server" | "consumer" | "client";
  /** the parent: a job's sender (`currentTraceparent`), or none; default: the current span */
  parent?: { traceparent: string | undefined };
  attributes?: Record<string, string | number>;
}

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };

/** Runs the work in a span. If the work throws, the span records only the error's name. */
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

/** The current span as W3C's `traceparent`, for the jobs that the work sends. Undefined: tracing is off. */
export function currentTraceparent(): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}
