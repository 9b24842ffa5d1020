/** The requests to the endpoints, so that tests can count upstream calls. No header, query or body is kept. */
import type { Operation } from "./api.ts";

const KEPT = 10_000;

export interface LoggedRequest {
  at: string;
  method: string;
  /** Without the query string. */
  path: string;
  operation: Operation;
  /** Null when no whole answer was sent. */
  status: number | null;
  /** The kind of fault it met. */
  fault: string | null;
}

export interface RequestLog {
  /** By operation, since the start or the last clearing. */
  counts: Map<Operation, number>;
  /** The latest 10,000, oldest first. */
  log: LoggedRequest[];
  add(request: LoggedRequest): void;
  clear(): void;
}

export function createRequestLog(): RequestLog {
  const counts = new Map<Operation, number>();
  const log: LoggedRequest[] = [];
  return {
    counts,
    log,
    add(request) {
      counts.set(request.operation, (counts.get(request.operation) ?? 0) + 1);
      log.push(request);
      // Cut in large steps: dropping the first of ten thousand at every request would cost more than the request.
      if (log.length > 2 * KEPT) log.splice(0, KEPT);
    },
    clear() {
      counts.clear();
      log.length = 0;
    },
  };
}
