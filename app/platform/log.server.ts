/**
 * Structured logs with the request's id on every line, in the web process and, through the job, in the worker. Only
 * allowlisted fields are written, errors only through describe-error.ts, and no e-mail address.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { pino } from "pino";
import type { DestinationStream } from "pino";
import { z } from "zod";
import { describeError } from "./describe-error.ts";
import { env } from "./env.server.ts";

/** The fields on every line of a request or job. */
type LogContext = { requestId: string } & Pick<LogFields, "job" | "shop" | "orderId" | "topic">;

const context = new AsyncLocalStorage<LogContext>();

/** All allowed fields of a line. None is for personal data or a secret. */
const loggedFields = [
  // subject
  ...["shop", "orderId", "inboxId", "importId", "id", "run", "job", "topic", "kind", "fileName"],
  ...[
    "requestId",
    "operation",
    "method",
    "path",
    "from",
    "what",
    "warning",
    "reason",
    "error",
    "state",
    "version",
  ],
  // time and quantity
  ...["at", "eraseAt", "status", "attempts", "durationMs", "orders", "quotes", "events", "bodies", "shops"],
  ...[
    "jobs",
    "rows",
    "before",
    "now",
    "missed",
    "behind",
    "resumed",
    "contracts",
    "different",
    "tasks",
    "deleted",
    "counts",
    "insurerCalls",
    "adminCalls",
    "points",
  ],
] as const;
const isLogged = new Set<string>(loggedFields);

export type LogFields = { [Field in (typeof loggedFields)[number]]?: LoggedValue } & { err?: unknown };
type LoggedValue = string | number | boolean | null | Date | Record<string, number>;

interface Write {
  (fields: LogFields, message: string): void;
  (message: string): void;
}
export type Log = Record<"fatal" | "error" | "warn" | "info" | "debug" | "trace", Write> & { level: string };

const MAX_TEXT = 500;

/** A field's value for the log; a value of another type is replaced by its type. */
function toLogged(value: unknown): LoggedValue {
  if (typeof value === "string") return value.slice(0, MAX_TEXT);
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  if (value instanceof Date) return value;
  if (typeof value !== "object") return `[${typeof value}]`;
  const numbers: Record<string, number> = {};
  for (const [name, each] of Object.entries(value)) if (typeof each === "number") numbers[name] = each;
  return numbers;
}

function toLoggedFields(fields: Record<string, unknown>): Record<string, unknown> {
  const logged: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === "err") logged[name] = describeError(value);
    else logged[name] = isLogged.has(name) ? toLogged(value) : "[not logged]";
  }
  return logged;
}

const emailAddress = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;

/** Takes an error instead of the log. @returns whether it did */
type ErrorWatch = (error: unknown) => boolean;
let errorWatch: ErrorWatch | null = null;

/** Passes each logged error to the watch of the database first, which reports a lost connection once. */
export function passErrorsTo(watch: ErrorWatch | null): void {
  errorWatch = watch;
}

/** The error among a line's fields. */
const withError = z.object({ err: z.instanceof(Error) });

/** @param destination default: standard output; tests pass their own */
export function createLog(level: string, destination: DestinationStream = pino.destination(1)): Log {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: toLoggedFields, level: (level) => ({ level }) },
      hooks: {
        logMethod(line, write) {
          const { data } = withError.safeParse(line[0]);
          if (data !== undefined && errorWatch?.(data.err) === true) return;
          write.apply(this, line);
        },
      },
      // The library's own serializer would join the messages of causes.
      serializers: { err: (described: unknown) => described },
      // A copy, because the library adds the line's own fields to it.
      mixin: () => ({ ...context.getStore() }),
    },
    {
      write: (line) => destination.write(line.includes("@") ? line.replace(emailAddress, "[e-mail]") : line),
    },
  );
}

export const log = createLog(env.LOG_LEVEL);

/** The id of the current request or job, if any. */
export function currentRequestId(): string | undefined {
  return context.getStore()?.requestId;
}

/** Runs `work` with these fields on every log line, and with the request's id on every job that it sends. */
export function withLogContext<T>(fields: LogContext, work: () => T): T {
  return context.run({ ...fields }, work);
}

/** Adds fields to the further log lines of the current request or job. */
export function addToLogContext(fields: Omit<LogContext, "requestId">): void {
  const current = context.getStore();
  if (current) Object.assign(current, fields);
}
