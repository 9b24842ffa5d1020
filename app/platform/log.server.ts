/**
 * Structured logs with the request's id on every line, in the web process and, through the job, in the worker.
 * Secrets and personal data are redacted by name, as a second net: the first is not to log them.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";
import { env } from "./env.server.ts";

const context = new AsyncLocalStorage<{ requestId: string }>();

const secret = [
  "token",
  "access_token",
  "accessToken",
  "refreshToken",
  "organisationToken",
  "secret",
  "authorization",
  "cookie",
  "email",
  "customer_email",
  "customerEmail",
  "phone",
  "first_name",
  "last_name",
  "address",
  "address1",
  "customer",
  "payload",
];

/** @param destination where the lines go; standard output unless a test listens */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: "[redacted]" },
      mixin: () => context.getStore() ?? {},
    },
    destination,
  );
}

export const log = createLog(env.LOG_LEVEL);

/** The id of the request or job that is being served, if any. */
export function currentRequestId(): string | undefined {
  return context.getStore()?.requestId;
}

/** Runs `work` with `requestId` on every log line and on every job that it sends. */
export function withRequestId<T>(requestId: string, work: () => T): T {
  return context.run({ requestId }, work);
}
