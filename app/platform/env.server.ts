/**
 * The environment, parsed once at start. Nothing else in the app reads `process.env`.
 */
import { createSecretKey } from "node:crypto";
import { z } from "zod";
import { AppError } from "./app-error.ts";
import { unsafeSettings } from "./unsafe-settings.ts";

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

const origin = z.url({ protocol: /^https?$/ }).transform((address) => address.replace(/\/+$/, ""));

/** Each variable with its description; docs/operations/environment.md is made of them (test/platform/env-table.server.test.ts). */
export const schema = z.object({
  NODE_ENV: z
    .enum(["development", "production", "test"])
    // A production process must not run in development's ways because it was not told.
    .describe("Has no default. `npm start`, `npm run worker` and the image set `production`."),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000).describe("Where the web process listens."),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65535)
    .optional()
    .describe(
      "Where operators read the process's metrics (`/metrics`) and whether its worker works (`/livez`). Left out: nowhere. 0: any free port.",
    ),
  METRICS_HOST: z
    .string()
    .min(1)
    .default("127.0.0.1")
    .describe(
      "The address of METRICS_PORT: one that the public cannot reach, because nobody is asked who they are.",
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: origin
    .optional()
    .describe("Base address of an OpenTelemetry collector (OTLP over HTTP). Left out: nothing is traced."),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("Lines of less weight are not written."),
  SHOPIFY_API_KEY: z.string().min(1).describe("The app's client id at the shop platform."),
  SHOPIFY_API_SECRET: z
    .string()
    .min(1)
    .describe("The app's client secret: webhooks and session tokens are signed with it."),
  SHOPIFY_API_SECRET_PREVIOUS: z
    .string()
    .min(1)
    .optional()
    .describe("The secret before a rotation: webhooks signed with it are still accepted."),
  SHOPIFY_APP_URL: origin.describe("The app's public address."),
  DATABASE_URL: z
    .string()
    .regex(
      /^(?:postgres(?:ql)?:\/\/.+|memory:)$/,
      "must be postgresql://… (leave it out for the embedded database)",
    )
    .optional()
    .describe(
      "A PostgreSQL server, `postgresql://…`. Left out: the embedded database in DATA_DIR. `memory:` is for benches.",
    ),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\/.+$/, "must be postgresql://…")
    .optional()
    .describe(
      "The same server without PgBouncer in between, where DATABASE_URL goes through one: for migrations, and for the queue, which listens. The timeouts below are then the database's to set (`ALTER ROLE … SET`).",
    ),
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(16)
    .describe("Connections of one process for pages and jobs."),
  QUEUE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(50)
    .default(6)
    .describe("Connections of one process for the queue; one more listens."),
  STATEMENT_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_600)
    .default(60)
    .describe("A statement that takes longer fails."),
  LOCK_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(600)
    .default(30)
    .describe("A statement that waits longer for a lock fails."),
  DATA_DIR: z.string().min(1).default(".data").describe("The folder of the embedded database."),
  EMBEDDED_DATABASE_IN_PRODUCTION: z
    .enum(["yes", "no"])
    .default("no")
    .describe("`yes` accepts the embedded database in production: one process, not safe against power cuts."),
  PLAIN_DATABASE_IN_PRODUCTION: z
    .enum(["yes", "no"])
    .default("no")
    .describe(
      "`yes` accepts a PostgreSQL server on another machine without `sslmode=verify-full`, such as inside a network that encrypts by itself.",
    ),
  PLAIN_HTTP_IN_PRODUCTION: z
    .enum(["yes", "no"])
    .default("no")
    .describe("`yes` accepts http:// for the app's own and the service's addresses."),
  ENCRYPTION_KEYS: encryptionKeys.describe(
    "Seal tokens and each merchant's data key: `<key id>:<base64 of 32 bytes>`, several separated by commas. The first seals, all open.",
  ),
  WEBHOOK_BODY_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(14)
    .describe(
      "Days that the body of a processed webhook is kept, where its order is insured; all others go at once.",
    ),
  STOP_DELAY_SECONDS: z.coerce
    .number()
    .min(0)
    .max(300)
    .default(3)
    .describe(
      "A web process that is told to stop answers `/readyz` with 503 and serves for so long: a little more than the load balancer's checks are apart.",
    ),
  WORKER: z
    .enum(["inline", "separate"])
    .default("inline")
    .describe("Where jobs run: in the web process, or only in processes started with `npm run worker`."),
  INSURANCE_BASE_URL_TEST: origin.describe("`{base_url}` of the insurance service's test environment."),
  INSURANCE_BASE_URL_PRODUCTION: origin.describe("The same of its production environment."),
  ACCOUNT_REQUEST_URL: z
    .url({ protocol: /^(https|mailto)$/ })
    .optional()
    .describe(
      "Where a merchant asks the insurance service for an account, an `https:` or `mailto:` address. Left out: Home says to ask the service, without a link.",
    ),
  INSURANCE_CONSISTENCY_SECONDS: z.coerce
    .number()
    .min(1)
    .max(3_600)
    .default(120)
    // app/plans/issuing/consistency-delay.ts
    .describe(
      "How long the service may take to carry out a creation whose answer was lost; only then is it asked again.",
    ),
  SANDBOX_SHOP_ORIGIN: z
    .string()
    .regex(loopback, "must be an address of this machine")
    .optional()
    .describe(
      "For the demo and tests: every call to the shop platform goes to the stand-in at this address.",
    ),
  APP_BRIDGE_URL: z
    .url()
    .optional()
    // The platform's library reads it, too.
    .describe("For the demo and tests: App Bridge, where the platform's CDN cannot be reached."),
});

export type Env = z.infer<typeof schema>;

/** A variable is missing or malformed; the message names all of them. */
export class EnvironmentError extends AppError {
  override name = "EnvironmentError";
}

/** @throws EnvironmentError that names every missing or malformed variable at once */
export function readEnv(source: Record<string, string | undefined>): Env {
  // An empty variable means the same as none: shells and compose files write both.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  const unsafe = unsafeSettings(given);
  if (parsed.success && unsafe.length === 0) return parsed.data;
  const lines = (parsed.error?.issues ?? []).map((issue) => {
    const name = issue.path.join(".");
    return `  ${name}: ${given[name] === undefined ? "is missing" : issue.message}`;
  });
  lines.push(...unsafe.map((line) => `  ${line}`));
  throw new EnvironmentError(
    `Parasol cannot start. These environment variables need attention (see .env.example):\n${lines.join("\n")}`,
  );
}

function readOrStop(): Env {
  try {
    return readEnv(process.env);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    // A stack trace would bury the one thing to read.
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** The environment of this process; a malformed one has ended it. */
export const env = readOrStop();
