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

export class RequestLog {
  /** By operation, since the start or the last clearing. */
  readonly counts = new Map<Operation, number>();
  /** The latest 10,000, oldest first. */
  readonly log: LoggedRequest[] = [];

  add(request: LoggedRequest): void {
    this.counts.set(request.operation, (this.counts.get(request.operation) ?? 0) + 1);
    this.log.push(request);
    // Cut in large steps: dropping the first of ten thousand at every request would cost more than the request.
    if (this.log.length > 2 * KEPT) this.log.splice(0, KEPT);
  }

  clear(): void {
    this.counts.clear();
    this.log.length = 0;
  }
}
