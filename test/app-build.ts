/**
 * The platform's own command line (`npm run app-build`, part of `npm run check`): reads shopify.app.toml and builds
 * every extension, offline and without an account. It skips extensions of a type that it does not know and reports
 * Theme Check's errors without failing, so both are looked for here. What only a linked app can be asked, such as
 * whether a webhook's topic exists, it does not check. Where it is not installed, that is said and does not fail.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The command line's program; null where the package is not installed. */
function findProgram(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve("@shopify/cli/package.json");
    const file = join(dirname(manifest), "bin", "run.js");
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

const program = findProgram();
if (program === null) {
  process.stdout.write("app build: SKIPPED, @shopify/cli is not installed (npm ci)\n");
} else {
  const built = spawnSync(
    process.execPath,
    [program, "app", "build", "--skip-dependencies-installation", "--no-color", "--path", root],
    {
      encoding: "utf8",
      env: { ...process.env, CI: "1", SHOPIFY_CLI_NO_ANALYTICS: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 300_000,
    },
  );
  const said = built.stdout + built.stderr;
  const files = await readdir(join(root, "extensions"), { recursive: true });
  const extensions = files
    .filter((file) => file.endsWith("shopify.extension.toml") && !file.includes("node_modules"))
    .map((file) => dirname(file));
  const missing = extensions.filter((name) => !said.includes(`${name} │`));
  if (built.status !== 0 || missing.length > 0 || said.includes("[error]")) {
    process.stdout.write(`${said}\n`);
    process.stdout.write(
      missing.length > 0 ? `app build: not built: ${missing.join(", ")}\n` : "app build: failed\n",
    );
    process.exitCode = 1;
  } else {
    process.stdout.write(`app build: the configuration is valid; built ${extensions.join(", ")}\n`);
  }
}
