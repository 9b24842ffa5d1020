/**
 * The operators' documents match the environment's schema. `.env.example` is generated from it: `npm run vitest -- run
 * test/platform/env-example -u` writes it again.
 */
import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readEnv, schema } from "#app/platform/env.server.ts";

const variable = z.object({
  description: z.string(),
  default: z.union([z.string(), z.number()]).optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const jsonSchema = z.object({ properties: z.record(z.string(), variable), required: z.array(z.string()) });

/** Comment lines of at most 120 characters. */
function comment(text: string): string {
  return text.replaceAll(/(.{1,118})(?: |$)/g, "# $1\n");
}

function example(): string {
  const { properties, required } = jsonSchema.parse(z.toJSONSchema(schema, { io: "input" }));
  // The scripts of package.json set these.
  delete properties["NODE_ENV"];
  const parts = Object.entries(properties).map(([name, { description, minimum, maximum, ...given }]) => {
    const range = minimum === undefined || maximum === undefined ? undefined : `${minimum} to ${maximum}`;
    const values = given.enum?.join(", ") ?? range;
    const notes = [description, ...(values === undefined ? [] : [`Values: ${values}.`])];
    if (required.includes(name)) notes.push("Required.");
    return `${comment(notes.join(" "))}${name}=${given.default ?? ""}\n`;
  });
  return `# Copy to .env. \`npm start\` and \`npm run worker\` read the environment, not this file. An empty variable counts as none.
# Values with \`&\`, \`$\` or spaces go in single quotes.
# Made from app/platform/env.server.ts by test/platform/env-example.server.test.ts.

${parts.join("\n")}`;
}

test(".env.example names every variable of the schema with its description and default", async () => {
  await expect(example()).toMatchFileSnapshot("../../.env.example");
});

/** Variables that OpenTelemetry reads itself (app/processes/trace-export.server.ts). */
const ofLibraries = ["OTEL_EXPORTER_OTLP_HEADERS"];

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
    const unknown = Object.keys(environment).filter((variable) => !(variable in schema.shape));
    expect(unknown).toEqual(ofLibraries);
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
  // The required variables of .env are the ones in docs/operations.md.
  const needed = new Set([...text.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name));
  const guide = await readFile("docs/operations.md", "utf8");
  expect([...needed].filter((name) => !guide.includes(`${name ?? ""}=`))).toEqual([]);
});

const ofContainers = z.object({
  services: z.record(z.string(), z.looseObject({ environment: z.record(z.string(), z.string()).optional() })),
});
/** Variables that an image sets, or that only a process without a server of its own needs. */
const notOfContainers = [
  ...["NODE_ENV", "PORT", "HOST", "DATA_DIR", "PLAIN_HTTP_IN_PRODUCTION"],
  ...["SANDBOX_SHOP_ORIGIN", "SANDBOX_DOCUMENTS_ORIGIN", "APP_BRIDGE_URL"],
];

test.each(["docs/operations/compose.yaml", "docs/operations/availability/compose.yaml"])(
  "%s hands every variable to its processes",
  async (file) => {
    const { services } = ofContainers.parse(parse(await readFile(file, "utf8"), { merge: true }));
    const given = Object.keys(services["worker"]?.environment ?? {});
    const missing = Object.keys(schema.shape).filter((name) => !given.includes(name));
    expect(missing.sort()).toEqual(notOfContainers.toSorted());
  },
);

test("the image has every module of the extensions that the app imports", async () => {
  const image = await readFile("Dockerfile", "utf8");
  const copied = [...image.matchAll(/^COPY --from=build \/app\/(extensions\/\S+)/gm)].flatMap(
    ([, path]) => path ?? [],
  );
  const imported = new Set<string>();
  for await (const file of glob("app/**/*.{ts,tsx}")) {
    const source = await readFile(file, "utf8");
    for (const [, path = ""] of source.matchAll(
      /^(?:im|ex)port (?!type)[^;]*? from "(?:\.\.\/)+(extensions\/[^"]+)"/gm,
    ))
      imported.add(path);
  }
  expect(imported.size).toBeGreaterThan(0);
  const isCopied = (path: string) => copied.some((each) => path === each || path.startsWith(`${each}/`));
  expect([...imported].filter((path) => !isCopied(path))).toEqual([]);
});
