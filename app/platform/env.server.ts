/**
 * The environment, parsed once at start. Nothing else in the app reads `process.env`.
 */
import { AppError } from "./app-error.ts";
import { z } from "zod";
import { unsafeSettings } from "./unsafe-settings.ts";

const loopback = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

/** `keyId:base64 of 32 bytes`, comma-separated; the first key encrypts, all of them decrypt (rotation). */
const encryptionKeys = z.string().transform((text, context) => {
  const keys = text.split(",").map((part) => {
    const [id, encoded] = part.trim().split(":");
    return { id: id ?? "", key: Buffer.from(encoded ?? "", "base64") };
  });
  for (const { id, key } of keys) {
    if (!/^[A-Za-z0-9_-]{1,20}$/.test(id) || key.length !== 32) {
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

const schema = z.object({
  /** Without a default: a production process must not run in development's ways because it was not told. */
  NODE_ENV: z.enum(["development", "production", "test"]),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  /**
   * Where operators read the process's metrics and whether its worker works (docs/operations/runbooks.md): a port of its
   * own, on an address that the public cannot reach. Left out: nowhere. 0: any free port.
   */
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  /** Base address of an OpenTelemetry collector (OTLP over HTTP). Left out: nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: origin.optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  SHOPIFY_API_KEY: z.string().min(1),
  SHOPIFY_API_SECRET: z.string().min(1),
  /** The secret before a rotation: webhooks signed with it are still accepted. */
  SHOPIFY_API_SECRET_PREVIOUS: z.string().min(1).optional(),
  SHOPIFY_APP_URL: origin,
  /** A PostgreSQL server, `postgresql://…`; left out: the embedded database in DATA_DIR. `memory:` is for benches. */
  DATABASE_URL: z
    .string()
    .regex(
      /^(?:postgres(?:ql)?:\/\/.+|memory:)$/,
      "must be postgresql://… (leave it out for the embedded database)",
    )
    .optional(),
  /**
   * The same server without PgBouncer in between, where DATABASE_URL goes through one: for migrations, and for the queue,
   * which listens. The timeouts below are then the database's to set (ALTER ROLE … SET).
   */
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(?:ql)?:\/\/.+$/, "must be postgresql://…")
    .optional(),
  /** Connections of one process: for pages and jobs, and for the queue beside them; one more listens. */
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(16),
  QUEUE_POOL: z.coerce.number().int().min(2).max(50).default(6),
  /** A statement that takes longer, or waits longer for a lock, fails. */
  STATEMENT_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(3_600).default(60),
  LOCK_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(600).default(30),
  DATA_DIR: z.string().min(1).default(".data"),
  /** `yes` accepts the embedded database in production: one process, no power-cut safety (docs/decisions). */
  EMBEDDED_DATABASE_IN_PRODUCTION: z.enum(["yes", "no"]).default("no"),
  /** `yes` accepts a connection to a PostgreSQL server that is not encrypted (unsafe-settings.ts). */
  PLAIN_DATABASE_IN_PRODUCTION: z.enum(["yes", "no"]).default("no"),
  /** `yes` accepts http:// for the app's own and the service's addresses. */
  PLAIN_HTTP_IN_PRODUCTION: z.enum(["yes", "no"]).default("no"),
  ENCRYPTION_KEYS: encryptionKeys,
  /** Days that the body of a processed webhook is kept, where its order is insured; all others go at once. */
  WEBHOOK_BODY_DAYS: z.coerce.number().int().min(1).max(60).default(14),
  /**
   * A web process that is told to stop answers `/readyz` with 503 and goes on serving for so long: a little more than the
   * load balancer's checks are apart.
   */
  STOP_DELAY_SECONDS: z.coerce.number().min(0).max(300).default(3),
  /** Where the worker runs: in the web process, or only in processes started with `npm run worker`. */
  WORKER: z.enum(["inline", "separate"]).default("inline"),
  /** `{base_url}` of the spec, one per environment of the service. */
  INSURANCE_BASE_URL_TEST: origin,
  INSURANCE_BASE_URL_PRODUCTION: origin,
  /** How long the service may take to carry out a creation whose response was lost (app/plans/issuing/consistency-delay.ts). */
  INSURANCE_CONSISTENCY_SECONDS: z.coerce.number().min(1).max(3_600).default(120),
  /** Sends every call to the shop platform to the stand-in instead. This machine only. */
  SANDBOX_SHOP_ORIGIN: z.string().regex(loopback, "must be an address of this machine").optional(),
  /** Address of App Bridge where the CDN cannot be reached (read by the Shopify library too). */
  APP_BRIDGE_URL: z.url().optional(),
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
