import { expect, test } from "vitest";
import { EnvironmentError, readEnv } from "#app/platform/env.server.ts";

const good = {
  NODE_ENV: "development",
  SHOPIFY_API_KEY: "key",
  SHOPIFY_API_SECRET: "secret",
  SHOPIFY_APP_URL: "https://parasol.example.com/",
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}`,
  INSURANCE_BASE_URL_TEST: "https://test.example.com",
  INSURANCE_BASE_URL_PRODUCTION: "https://example.com",
};

test("a complete environment is read, with its defaults", () => {
  const env = readEnv(good);
  expect(env).toMatchObject({ NODE_ENV: "development", PORT: 3000, WORKER: "inline", DATA_DIR: ".data" });
  expect(env.SHOPIFY_APP_URL).toBe("https://parasol.example.com");
  expect(env.ENCRYPTION_KEYS.map(({ id }) => id)).toEqual(["k1"]);
});

test("one message names everything that is missing or malformed", () => {
  const act = () =>
    readEnv({
      ...good,
      NODE_ENV: "",
      SHOPIFY_API_SECRET: "",
      SHOPIFY_APP_URL: "parasol",
      ENCRYPTION_KEYS: "k1:short",
      PORT: "x",
      QUEUE_POOL: "60.5",
      SMTP_URL: "mail.example.com",
      MAIL_FROM: "insurance",
    });
  expect(act).toThrow(EnvironmentError);
  for (const name of [
    "NODE_ENV: is missing",
    "SHOPIFY_API_SECRET: is missing",
    "SHOPIFY_APP_URL: must be an address that begins with https://",
    "ENCRYPTION_KEYS: must be <key id>",
    "PORT: must be a whole number from 0 to 65535",
    /^ {2}QUEUE_POOL: must be a whole number from 2 to 50$(?![^]*QUEUE_POOL)/m,
    "SMTP_URL: must be an address that begins with smtps:// or smtp://",
    "MAIL_FROM: must be an e-mail address",
  ]) {
    expect(act).toThrow(name);
  }
});

test("a secret's value is never in the message", () => {
  expect(() => readEnv({ ...good, ENCRYPTION_KEYS: "k1:c2VjcmV0LXZhbHVl", SHOPIFY_APP_URL: "" })).not.toThrow(
    "c2VjcmV0",
  );
});

test("production wants a database server", () => {
  const production = { ...good, NODE_ENV: "production" };
  expect(() => readEnv(production)).toThrow(
    "DATABASE_URL: is missing; production needs the address of a PostgreSQL server",
  );
  expect(readEnv(good).DATABASE_URL).toBeUndefined();
  const encrypted = "postgresql://db/parasol?sslmode=verify-full";
  expect(readEnv({ ...production, DATABASE_URL: encrypted }).DATABASE_URL).toBe(encrypted);
});

test.each([
  ["postgresql://db/parasol", false],
  ["postgresql://db/parasol?sslmode=disable", false],
  ["postgresql://db/parasol?sslmode=prefer", false],
  ["postgresql://db/parasol?sslmode=no-verify", false],
  ["postgresql://localhost/parasol?host=db", false],
  ["postgresql://db/parasol?sslmode=require", true],
  ["postgresql://user:pass@127.0.0.1:6432/parasol", true],
  ["postgresql:///parasol?host=/run/postgresql", true],
])("production reads its data over %s: %s", (DATABASE_URL, accepted) => {
  const production = { ...good, NODE_ENV: "production", DATABASE_URL };
  if (accepted) expect(readEnv(production).DATABASE_URL).toBe(DATABASE_URL);
  else expect(() => readEnv(production)).toThrow("DATABASE_URL: needs sslmode");
  const direct = {
    ...production,
    DATABASE_URL: "postgresql:///parasol?host=/run",
    DATABASE_DIRECT_URL: DATABASE_URL,
  };
  if (accepted) expect(readEnv(direct).DATABASE_DIRECT_URL).toBe(DATABASE_URL);
  else expect(() => readEnv(direct)).toThrow("DATABASE_DIRECT_URL: needs sslmode");
  expect(readEnv({ ...production, PLAIN_DATABASE_IN_PRODUCTION: "yes" }).DATABASE_URL).toBe(DATABASE_URL);
  expect(readEnv({ ...production, NODE_ENV: "development" }).DATABASE_URL).toBe(DATABASE_URL);
});

test.each(["SHOPIFY_APP_URL", "INSURANCE_BASE_URL_TEST", "INSURANCE_BASE_URL_PRODUCTION"])(
  "production takes no http address for %s, unless it is this machine's or accepted by name",
  (name) => {
    const DATABASE_URL = "postgresql://127.0.0.1/parasol";
    const production = { ...good, NODE_ENV: "production", DATABASE_URL };
    const plain = { ...production, [name]: "http://service.example.com" };
    expect(() => readEnv(plain)).toThrow(`${name}: must be https://`);
    expect(readEnv({ ...plain, PLAIN_HTTP_IN_PRODUCTION: "yes" }).NODE_ENV).toBe("production");
    expect(readEnv({ ...production, [name]: "http://127.0.0.1:4000" }).NODE_ENV).toBe("production");
  },
);

test("the shop's stand-in can only be on this machine", () => {
  expect(() => readEnv({ ...good, SANDBOX_SHOP_ORIGIN: "https://evil.example.com" })).toThrow(
    "SANDBOX_SHOP_ORIGIN",
  );
  expect(readEnv({ ...good, SANDBOX_SHOP_ORIGIN: "http://127.0.0.1:4010" }).SANDBOX_SHOP_ORIGIN).toBe(
    "http://127.0.0.1:4010",
  );
});
