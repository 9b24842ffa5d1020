/**
 * The environment variables, parsed once at start. Only BUILD_DIR of tests and demo is read elsewhere
 * (app/processes/server.ts).
 */
import { createSecretKey } from "node:crypto";
import { z } from "zod";
import { AppError } from "./app-error.ts";

const loopback = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** `keyId:base64 of 32 bytes`, comma-separated; the first key encrypts, all of them decrypt (rotation). */
const encryptionKeys = z.string().transform((text, context) => {
  const keys = text.split(",").map((part) => {
    const [id, encoded] = part.trim().split(":");
    return { id: id ?? "", key: createSecretKey(encoded ?? "", "base64") };
  });
  for (const { id, key } of keys) {
    if (!/^[A-Za-z0-9_-]{1,20}$/.test(id) || key.symmetricKeySize !== 32) {
      context.addIssue({
        code: "custom",
        message:
          "must be <key id>:<base64 of 32 bytes>, several separated by commas; make one with: openssl rand -base64 32",
      });
      return z.NEVER;
    }
  }
  return keys;
});

const origin = z
  .url({ protocol: /^https?$/, error: "must be an address that begins with https://" })
  .transform((address) => address.replace(/\/+$/, ""));

/** With one message for everything that is no such number. */
function numberFrom(min: number, max: number, kind = "number") {
  const error = `must be a ${kind} from ${min} to ${max}`;
  return z.coerce.number(error).min(min, error).max(max, error);
}

function wholeNumber(min: number, max: number) {
  const kind = "whole number";
  return numberFrom(min, max, kind).int(`must be a ${kind} from ${min} to ${max}`);
}

/**
 * Each variable with its description; .env.example is generated from them (test/platform/env-example.server.test.ts).
 */
export const schema = z.object({
  NODE_ENV: z
    .enum(["development", "production", "test"])
    // No default: a production process must not run in development mode by mistake.
    .describe("`npm start`, `npm run worker` and the image set `production`."),
  PORT: wholeNumber(0, 65535).default(3000).describe("Port of the web process."),
  HOST: z.string().min(1).default("0.0.0.0").describe("Address on which the web process listens."),
  METRICS_PORT: wholeNumber(0, 65535)
    .optional()
    .describe(
      "Port of `/metrics` and of `/livez`, the worker's health. Empty: not served. 0: any free port.",
    ),
  METRICS_HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe("Address of METRICS_PORT. It has no access control, so it must not be public."),
  OTEL_EXPORTER_OTLP_ENDPOINT: origin
    .optional()
    .describe(
      "Base address of an OpenTelemetry collector (OTLP over HTTP). Empty: no traces. The other OTEL_… variables of OpenTelemetry work too; the compose files pass OTEL_EXPORTER_OTLP_HEADERS alone.",
    ),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("The lowest level that is logged."),
  SHOPIFY_API_KEY: z
    .string()
    .min(1)
    .describe(
      "The app's client id at Shopify. `shopify app dev` sets this, the secret, SHOPIFY_APP_URL and PORT itself.",
    ),
  SHOPIFY_API_SECRET: z
    .string()
    .min(1)
    .describe("The app's client secret: webhooks and session tokens are signed with it."),
  SHOPIFY_API_SECRET_PREVIOUS: z
    .string()
    .min(1)
    .optional()
    .describe("The previous secret during a rotation: webhooks signed with it are still accepted."),
  SHOPIFY_API_SECRETS_FORMER: z
    .string()
    .default("")
    .transform((text) => text.split(",").flatMap((secret) => secret.trim() || []))
    .describe(
      "All secrets before those, separated by commas: the links in customers' mails and orders were signed with them, and nothing else is accepted by them.",
    ),
  SHOPIFY_APP_URL: origin.describe(
    "The app's public address. application_url in shopify.app.toml has to be the same.",
  ),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\/.+$/, "must be postgresql://…")
    .optional()
    .describe(
      "A PostgreSQL server, `postgresql://…`. Required in production. Elsewhere, if it is empty, the app starts the embedded database in DATA_DIR.",
    ),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\/.+$/, "must be postgresql://…")
    .optional()
    .describe(
      "Where DATABASE_URL goes through PgBouncer: the server itself, for migrations and the queue. The two timeouts below are then set in the database (`ALTER ROLE … SET`).",
    ),
  DATABASE_POOL: wholeNumber(2, 200)
    .default(16)
    .describe(
      "Connections of one process for pages and jobs. All processes together stay below the server's max_connections.",
    ),
  QUEUE_POOL: wholeNumber(2, 50)
    .default(6)
    .describe("Connections of one process for the queue; one more listens."),
  STATEMENT_TIMEOUT_SECONDS: wholeNumber(1, 3_600)
    .default(60)
    .describe("A statement that takes longer fails."),
  LOCK_TIMEOUT_SECONDS: wholeNumber(1, 600)
    .default(30)
    .describe("A statement that waits longer for a lock fails."),
  DATA_DIR: z.string().min(1).default(".data").describe("The folder of the embedded database."),
  PLAIN_DATABASE_IN_PRODUCTION: z
    .enum(["yes", "no"])
    .default("no")
    .describe(
      "`yes` accepts a PostgreSQL server on another machine without `sslmode=verify-full` (or require, verify-ca).",
    ),
  PLAIN_HTTP_IN_PRODUCTION: z
    .enum(["yes", "no"])
    .default("no")
    .describe("`yes` accepts http:// for the app's own and the insurer's addresses."),
  ENCRYPTION_KEYS: encryptionKeys.describe(
    'Encrypts tokens and each merchant\'s data key. One: `echo "k1:$(openssl rand -base64 32)"`. The first encrypts, all decrypt. To rotate, add the new one at the end, separated by a comma, and restart every process; then put it in front and restart again.',
  ),
  WEBHOOK_BODY_DAYS: wholeNumber(1, 60)
    .default(14)
    .describe(
      "Days that the body of a processed webhook of an insured order is kept; all others are emptied at once.",
    ),
  STOP_DELAY_SECONDS: numberFrom(0, 300)
    .default(3)
    .describe(
      "Seconds that a web process still serves after SIGTERM while `/readyz` answers 503: more than the interval of the load balancer's checks.",
    ),
  WORKER: z
    .enum(["inline", "separate"])
    .default("inline")
    .describe("Where jobs run: in the web process, or only in processes started with `npm run worker`."),
  INSURANCE_BASE_URL_TEST: origin.describe("Base address of the insurer's test environment."),
  INSURANCE_BASE_URL_PRODUCTION: origin.describe("Base address of its production environment."),
  ACCOUNT_REQUEST_URL: z
    .url({ protocol: /^(https|mailto)$/, error: "must be an address that begins with https:// or mailto:" })
    .optional()
    .describe(
      "Where a merchant requests an account of the insurer, an `https:` or `mailto:` address. Empty: Home shows no link.",
    ),
  INSURANCE_CONSISTENCY_SECONDS: numberFrom(1, 3_600)
    .default(600)
    // app/orders/book/next-contract-step.ts
    .describe(
      "Seconds after which the insurer's list of contracts decides what an unclear answer did. Only then is a contract requested again: a customer can wait, two contracts cannot be undone.",
    ),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must be an address that begins with smtps:// or smtp://" })
    .optional()
    .describe(
      "The mail server for what customers have to receive, `smtps://user:password@host` or `smtp://…` (encrypted by STARTTLS on other machines). Empty: no mail; tasks ask merchants to send acknowledgements.",
    ),
  MAIL_FROM: z
    .email("must be an e-mail address")
    .optional()
    .describe("The sender's address, of a domain that the mail server may send for. Needed with SMTP_URL."),
  SANDBOX_SHOP_ORIGIN: z
    .string()
    .regex(loopback, "must be an address of this machine")
    .optional()
    .describe("For the demo and tests: calls to Shopify go to the stand-in at this address."),
  SANDBOX_DOCUMENTS_ORIGIN: z
    .string()
    .regex(loopback, "must be an address of this machine")
    .optional()
    .describe(
      "For the demo and tests: the insurer's documents are fetched from the stand-in at this address.",
    ),
  APP_BRIDGE_URL: z
    .url()
    .optional()
    // Shopify's library also reads it.
    .describe("For the demo and tests: the address of App Bridge."),
});

export type Env = z.infer<typeof schema>;

/** A variable is missing or malformed; the message names all of them. */
export class EnvironmentError extends AppError {
  override name = "EnvironmentError";
}

/** @throws EnvironmentError that names every missing or malformed variable at once */
export function readEnv(source: Record<string, string | undefined>): Env {
  // An empty variable counts as missing: shells and compose files write both.
  const variables = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(variables);
  const unsafe = unsafeSettings(variables);
  if (variables["SMTP_URL"] !== undefined && variables["MAIL_FROM"] === undefined)
    unsafe.push("MAIL_FROM: is missing; SMTP_URL needs it");
  if (parsed.success && unsafe.length === 0) return parsed.data;
  const lines = (parsed.error?.issues ?? []).map((issue) => {
    const name = issue.path.join(".");
    return `${name}: ${variables[name] === undefined ? "is missing" : issue.message}`;
  });
  const problems = [...new Set([...lines, ...unsafe])].map((line) => `\n  ${line}`);
  throw new EnvironmentError(
    `Parasol cannot start. These environment variables need attention (see .env.example):${problems.join("")}`,
  );
}

type Variables = Record<string, string | undefined>;

const databases = ["DATABASE_URL", "DATABASE_DIRECT_URL"];
const addresses = ["SHOPIFY_APP_URL", "INSURANCE_BASE_URL_TEST", "INSURANCE_BASE_URL_PRODUCTION"];
const thisMachine = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);
/** With these modes the driver checks the server's certificate. */
const encryptedModes = new Set(["require", "verify-ca", "verify-full"]);

/** The settings that production refuses unless another setting accepts them explicitly, one line each. */
function unsafeSettings(variables: Variables): string[] {
  if (variables["NODE_ENV"] !== "production") return [];
  return [
    ...(variables["DATABASE_URL"] === undefined
      ? ["DATABASE_URL: is missing; production needs the address of a PostgreSQL server"]
      : []),
    ...databases
      .filter(
        (name) => isPlainDatabase(variables[name]) && variables["PLAIN_DATABASE_IN_PRODUCTION"] !== "yes",
      )
      .map(
        (name) =>
          `${name}: needs sslmode=verify-full in production; PLAIN_DATABASE_IN_PRODUCTION=yes accepts a connection that is not encrypted`,
      ),
    ...addresses
      .filter((name) => isPlainHttp(variables[name]) && variables["PLAIN_HTTP_IN_PRODUCTION"] !== "yes")
      .map((name) => `${name}: must be https:// in production; PLAIN_HTTP_IN_PRODUCTION=yes accepts http://`),
  ];
}

function isPlainHttp(address: string | undefined): boolean {
  const url = address === undefined ? null : URL.parse(address);
  return url?.protocol === "http:" && !thisMachine.has(url.hostname);
}

/** Whether the connection to a database on another machine is unencrypted. */
function isPlainDatabase(address: string | undefined): boolean {
  const url = address === undefined ? null : URL.parse(address);
  if (!url || !/^postgres/.test(url.protocol)) return false;
  // The query's host overrides the URL's host. A host that begins with a slash is a socket's folder.
  const host = url.searchParams.get("host") ?? decodeURIComponent(url.hostname);
  if (host === "" || host.startsWith("/") || thisMachine.has(host)) return false;
  return !encryptedModes.has(url.searchParams.get("sslmode") ?? "");
}

function readOrStop(): Env {
  try {
    return readEnv(process.env);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    // A stack trace would hide the message.
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** The environment of this process; a malformed one ends the process. */
export const env = readOrStop();
