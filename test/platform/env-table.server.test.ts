/**
 * What operators are given agrees with the schema of the environment. docs/operations/environment.md is made from it:
 * `npm run vitest -- test/platform/env-table -u` writes it anew.
 */
import { readFile } from "node:fs/promises";
import { format, resolveConfig } from "prettier";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readEnv, schema } from "#app/platform/env.server.ts";

const FILE = "docs/operations/environment.md";

const variable = z.object({
  description: z.string(),
  default: z.union([z.string(), z.number()]).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const jsonSchema = z.object({ properties: z.record(z.string(), variable), required: z.array(z.string()) });

function table(): string {
  const { properties, required } = jsonSchema.parse(z.toJSONSchema(schema, { io: "input" }));
  const rows = Object.entries(properties).map(([name, one]) => {
    const { minimum, maximum } = one;
    const range = minimum === undefined || maximum === undefined ? "" : `${minimum} to ${maximum}`;
    const given =
      one.default === undefined ? (required.includes(name) ? "**needed**" : "") : `\`${one.default}\``;
    return `| \`${name}\` | ${one.description} | ${one.enum?.join(", ") ?? range} | ${given} |`;
  });
  return `# Environment

Made from the schema in \`app/platform/env.server.ts\`; a test compares the two. A missing or malformed variable stops the start with one message that names them all. An empty one counts as none.

| Variable | What it is | Values | Default |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

test("the table of environment variables is the schema's", async () => {
  const text = await format(table(), { ...(await resolveConfig(FILE)), parser: "markdown" });
  await expect(text).toMatchFileSnapshot(`../../${FILE}`);
});

const service = z.object({
  environment: z.record(z.string(), z.string()).optional(),
  ports: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.unknown()).optional(),
  networks: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
});
const composeFile = z.object({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.unknown()),
});

test("compose.yaml starts each process with an environment that production accepts, and names nothing that is not there", async () => {
  const text = await readFile("docs/operations/compose.yaml", "utf8");
  const { services, networks, volumes } = composeFile.parse(parse(text, { merge: true }));
  const given: Record<string, string> = {
    SHOPIFY_APP_URL: "https://parasol.example.com",
    INSURANCE_BASE_URL_TEST: "https://test.insurer.example",
    INSURANCE_BASE_URL_PRODUCTION: "https://insurer.example",
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}`,
  };
  const filledIn = (value: string) =>
    value.replaceAll(/\$\{(\w+):([?-])\}/g, (_, name: string, kind) =>
      kind === "-" ? "" : (given[name] ?? "given"),
    );
  for (const name of ["migrate", "web", "worker"]) {
    const { environment = {} } = services[name] ?? {};
    expect(Object.keys(environment).filter((variable) => !(variable in schema.shape))).toEqual([]);
    const filled = new Map(
      Object.entries(environment).map(([variable, value]) => [variable, filledIn(value)]),
    );
    const env = readEnv({ NODE_ENV: "production", ...Object.fromEntries<string>(filled) });
    expect(env).toMatchObject({ WORKER: "separate", METRICS_PORT: 9464 });
  }
  for (const { depends_on = {}, networks: joined = [], volumes: mounted = [] } of Object.values(services)) {
    expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on)));
    expect(Object.keys(networks)).toEqual(expect.arrayContaining(joined));
    const named = mounted.flatMap((each) => /^(\w+):/.exec(each)?.[1] ?? []);
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
  }
  // What .env has to hold is what docs/operations.md writes into it.
  const needed = new Set([...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name));
  const guide = await readFile("docs/operations.md", "utf8");
  expect([...needed].filter((name) => !guide.includes(`${name ?? ""}=`))).toEqual([]);
});
