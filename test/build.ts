/**
 * The Remix build of demo, tests, benches and faults: one folder per state of its sources. So any two of them run side
 * by side in one checkout, and none touches the `build` folder of `npm start`.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import lockfile from "proper-lockfile";

const root = join(import.meta.dirname, "..");
const builds = join(root, "node_modules/.cache/parasol-builds");

/** The sources that decide Vite's output. */
const SOURCES = [
  "app",
  "extensions/storefront-scripts",
  "package-lock.json",
  "package.json",
  "vite.config.ts",
];

/** A build that a process still runs is younger than this. */
const KEPT_MS = 24 * 3_600_000;

async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  const add = async (path: string): Promise<void> => {
    if ((await stat(join(root, path))).isDirectory()) {
      for (const name of (await readdir(join(root, path))).sort()) await add(join(path, name));
    } else hash.update(path).update(await readFile(join(root, path)));
  };
  for (const source of SOURCES) await add(source);
  return hash.digest("hex").slice(0, 16);
}

async function deleteOldBuilds(): Promise<void> {
  for (const name of await readdir(builds)) {
    const folder = join(builds, name);
    if (Date.now() - (await stat(folder)).mtimeMs > KEPT_MS)
      await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Processes that need the same build wait for one of them to make it: concurrent builds would compete for the machine.
 */
async function build(): Promise<string> {
  const folder = join(builds, await hashSources());
  if (existsSync(folder)) return folder;
  await mkdir(builds, { recursive: true });
  const unlock = await lockfile.lock(builds, {
    stale: 300_000,
    retries: { forever: true, minTimeout: 100, maxTimeout: 500 },
  });
  try {
    if (existsSync(folder)) return folder;
    await deleteOldBuilds();
    const unfinished = `${folder}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "production", BUILD_DIR: unfinished };
    const remix = ["node_modules/@remix-run/dev/dist/cli.js", "vite:build", "--logLevel", "error"];
    await promisify(execFile)(process.execPath, remix, { cwd: root, env });
    await rename(unfinished, folder);
  } finally {
    await unlock();
  }
  return folder;
}

let built: Promise<string> | undefined;

/** Builds the app unless this state of its sources is built already. @returns the folder, for BUILD_DIR */
export function buildApp(): Promise<string> {
  return (built ??= build());
}
