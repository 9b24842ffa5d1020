/**
 * `npm run dev` sets up a shop from an empty checkout. `shopify app dev`: the started processes, with its environment,
 * serve the app at the tunnel's URL.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { z } from "zod";
import { steadyPort } from "#test/cluster.ts";
import { eventually } from "#test/eventually.ts";
import { newDatabase } from "#test/migrated.ts";

const TUNNEL = "https://some-words.trycloudflare.com";

const web = z.object({
  roles: z.array(z.string()),
  webhooks_path: z.literal("/webhooks"),
  commands: z.object({ dev: z.string() }),
});

test("npm run dev connects and syncs a shop though Vite has prepared nothing yet", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parasol-vite-"));
  try {
    const port = String(await steadyPort());
    const { stdout } = await promisify(execFile)("npm", ["run", "dev", "--", "--once", "--port", port], {
      env: { ...process.env, VITE_CACHE_DIR: folder },
    });
    expect(stdout).toContain("90 references are variants of 30 unlisted products");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("the development server that Shopify's command line starts sends the merchant back to the tunnel", async () => {
  const { roles, commands } = web.parse(parse(await readFile("shopify.web.toml", "utf8")));
  expect(roles).toEqual(["frontend", "backend"]);
  const port = await steadyPort();
  const [command = "", ...args] = commands.dev.split(" ");
  const server = spawn(command, args, {
    stdio: ["ignore", "ignore", "pipe"],
    // A process group of its own: npm starts the server as a child.
    detached: true,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      // The variables of the command line.
      SHOPIFY_API_KEY: "key",
      SHOPIFY_API_SECRET: "secret",
      HOST: TUNNEL,
      NODE_ENV: "development",
      PORT: String(port),
      // The variables of a developer's .env.
      DATABASE_URL: await newDatabase(),
      ENCRYPTION_KEYS: `dev:${Buffer.alloc(32).toString("base64")}`,
      INSURANCE_BASE_URL_TEST: "https://test.insurance.example",
      INSURANCE_BASE_URL_PRODUCTION: "https://insurance.example",
    },
  });
  let errors = "";
  server.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const gone = once(server, "exit");
  try {
    const host = Buffer.from("admin.shopify.com/store/lumen").toString("base64url");
    const address = `http://localhost:${port}/app?shop=lumen.myshopify.com&embedded=1&host=${host}`;
    const answer = await eventually(
      async () => {
        if (server.exitCode !== null) throw new Error(`It ended: ${errors}`);
        return fetch(address, {
          redirect: "manual",
          headers: {
            "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150 Safari/537.36",
          },
        }).catch(() => null);
      },
      "an answer of the development server",
      { withinMs: 180_000 },
    );
    expect(answer.status, errors).toBe(302);
    const back = new URL(answer.headers.get("location") ?? "", address).searchParams.get("shopify-reload");
    expect(new URL(back ?? "").origin).toBe(TUNNEL);
  } finally {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid);
    await gone;
  }
});
