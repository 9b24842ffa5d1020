/**
 * Shopify's own command line (part of `npm run validate`): it reads shopify.app.toml and builds every extension,
 * offline and without an account. It skips extensions of unknown types and reports Theme Check's errors without
 * failing, so this script checks both. It does not check values that only a linked app knows, such as webhook topics.
 * If it is not installed, the script says so and passes. A Function in TypeScript needs javy, which the command line
 * downloads. If the download fails, a copy without the Functions is built; test/storefront/cart-validation.test.ts runs
 * their bundle.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const MANIFEST = "shopify.extension.toml";

/** The command line's program; null: the package is not installed. */
function findProgram(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve("@shopify/cli/package.json");
    const file = join(dirname(manifest), "bin", "run.js");
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

/** Builds all extensions of a folder. @returns the failure; null: success */
function build(
  program: string,
  folder: string,
  extensions: string[],
): { said: string; reason: string } | null {
  const built = spawnSync(
    process.execPath,
    [program, "app", "build", "--skip-dependencies-installation", "--no-color", "--path", folder],
    {
      encoding: "utf8",
      env: { ...process.env, CI: "1", SHOPIFY_CLI_NO_ANALYTICS: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 300_000,
    },
  );
  const said = built.stdout + built.stderr;
  const missing = extensions.filter((name) => !said.includes(`${basename(name)} │`));
  if (built.status === 0 && missing.length === 0 && !said.includes("[error]")) return null;
  return { said, reason: missing.length > 0 ? `not built: ${missing.join(", ")}` : "failed" };
}

/** The app without its Functions, in a folder of its own, as described in shopify.app.toml. */
async function copyWithoutFunctions(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parasol-app-build-"));
  for (const file of ["package.json", "shopify.web.toml"]) await cp(join(root, file), join(folder, file));
  const configuration = await readFile(join(root, "shopify.app.toml"), "utf8");
  await writeFile(
    join(folder, "shopify.app.toml"),
    configuration.replace(/^extension_directories = .*$/m, ""),
  );
  await cp(join(root, "extensions"), join(folder, "extensions"), { recursive: true });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  return folder;
}

const program = findProgram();
if (program === null) {
  process.stdout.write("app build: SKIPPED, @shopify/cli is not installed (npm ci)\n");
} else {
  const files = await readdir(join(root, "extensions"), { recursive: true });
  const extensions = files
    .filter((file) => file.endsWith(MANIFEST) && !file.includes("node_modules"))
    .map((file) => dirname(file));
  const manifests = await Promise.all(
    extensions.map((name) => readFile(join(root, "extensions", name, MANIFEST), "utf8")),
  );
  const functions = extensions.filter((_, index) => /^type = "function"$/m.test(manifests[index] ?? ""));
  let names = extensions;
  // A Flow trigger is read and validated, but has nothing to build.
  const triggers = extensions.filter((_, index) => /^type = "flow_trigger"$/m.test(manifests[index] ?? ""));
  const toBuild = () => names.filter((name) => !triggers.includes(name));
  let failure = build(program, root, toBuild());
  if (failure !== null && /javy[^]*failed/.test(failure.said)) {
    names = extensions.filter((name) => !functions.includes(name));
    const folder = await copyWithoutFunctions();
    failure = build(program, folder, toBuild());
    await rm(folder, { recursive: true });
    process.stdout.write(`app build: NOT BUILT, javy cannot be downloaded here: ${functions.join(", ")}\n`);
  }
  if (failure === null) {
    process.stdout.write(`app build: the configuration is valid; built ${names.join(", ")}\n`);
  } else {
    process.stdout.write(`${failure.said}\napp build: ${failure.reason}\n`);
    process.exitCode = 1;
  }
}
