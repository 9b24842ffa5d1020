/**
 * `npm run image`, as root on Linux: carries out every step of the Dockerfile where containers cannot be run, each stage
 * in an empty folder of its own, and starts what comes out of it as another user, who finds every disk read-only. It
 * understands the instructions that the Dockerfile has; another one ends it. Base images are not fetched: this machine's
 * system stands in for them.
 */
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, glob, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { openCluster, serverUrl, steadyPort } from "./cluster.ts";
import { becomesTrue } from "./eventually.ts";

/** `nobody` stands in for the image's user. In a view of the disks of its own, all of them are read-only. */
const CONTAINED = [
  ...["unshare", "--mount", "--propagation", "private", "sh", "-c"],
  `awk '$3 !~ /^(proc|sysfs)$/ { print $2 }' /proc/mounts | xargs -n 1 mount -o remount,bind,ro 2>/dev/null
   exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"`,
  "contained",
];
const sbom = z.object({ components: z.array(z.object({ "bom-ref": z.string() })) });
const installed = z.object({ name: z.string(), version: z.string() });
const words = z.tuple([z.string()], z.string());

interface Stage {
  root: string;
  folder: string;
  env: Record<string, string>;
  command: string[];
  health: string[];
  user: string;
}

/** What a step may know of this machine: its programs, and npm's settings and cache. */
const own = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(?:PATH|HOME|npm_config_(?:cache|registry|prefer_offline))$/.test(name),
  ),
);

const say = (text: string) => process.stdout.write(`${text}\n`);
const base = await mkdtemp(join(tmpdir(), "parasol-image-"));
await chmod(base, 0o755);
try {
  await run(await build());
} finally {
  await rm(base, { recursive: true, force: true });
}

async function build(): Promise<Stage> {
  const text = (await readFile("Dockerfile", "utf8")).replaceAll(/^#.*\n/gm, "").replaceAll("\\\n", " ");
  const context = await copyContext();
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, instruction = "", rest = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    say(`${instruction} ${rest}`);
    if (instruction === "FROM") {
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? "last";
      const root = join(base, name);
      await mkdir(root);
      stage = { root, folder: root, env: {}, command: [], health: [], user: "root" };
      stages.set(name, stage);
      continue;
    }
    if (!stage) throw new Error("The Dockerfile does not begin with FROM");
    if (instruction === "WORKDIR") {
      stage.folder = join(stage.root, rest);
      await mkdir(stage.folder, { recursive: true });
    } else if (instruction === "ENV") {
      const [, name = "", value = ""] = /^(\w+)=(.*)$/.exec(rest) ?? [];
      stage.env[name] = value;
    } else if (instruction === "COPY") {
      const [, from, paths = ""] = /^(?:--from=(\w+) )?(.*)$/.exec(rest) ?? [];
      const source = from === undefined ? context : stages.get(from)?.root;
      if (source === undefined) throw new Error(`There is no stage ${from}`);
      await copy(source, stage.folder, paths.split(" "));
    } else if (instruction === "RUN") {
      execFileSync("sh", ["-c", rest], {
        cwd: stage.folder,
        env: { NODE_ENV: "development", ...own, ...stage.env },
        stdio: ["ignore", "inherit", "inherit"],
      });
    } else if (instruction === "CMD") stage.command = words.parse(JSON.parse(rest));
    else if (instruction === "HEALTHCHECK") {
      stage.health = words.parse(JSON.parse(rest.slice(rest.indexOf("CMD ") + 4)));
    } else if (instruction === "USER") stage.user = rest;
    else if (instruction !== "EXPOSE") throw new Error(`This script does not know ${instruction}`);
  }
  if (!stage) throw new Error("The Dockerfile has no stage");
  return stage;
}

/** What a builder is sent: the files of a checkout without those of .dockerignore. */
async function copyContext(): Promise<string> {
  const context = join(base, "context");
  const ignored = (await readFile(".dockerignore", "utf8")).split("\n").filter((line) => line !== "");
  const isIgnored = (path: string) =>
    ignored.some((name) =>
      name.endsWith("*") ? path.startsWith(name.slice(0, -1)) : path === name || path.startsWith(`${name}/`),
    );
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const path of files.split("\n").filter((each) => each !== "" && !isIgnored(each))) {
    await mkdir(dirname(join(context, path)), { recursive: true });
    await cp(path, join(context, path));
  }
  return context;
}

/** As COPY does: a folder's content goes into the target, a file beside others into it. */
async function copy(source: string, folder: string, paths: string[]): Promise<void> {
  const to = paths.at(-1) ?? ".";
  for (const path of paths.slice(0, -1)) {
    const from = join(source, path);
    const isFolder = (await stat(from)).isDirectory();
    const target = to === "./" || (to === "." && !isFolder) ? join(to, basename(path)) : to;
    await cp(from, join(folder, isFolder ? to : target), { recursive: true, verbatimSymlinks: true });
  }
}

/** @returns `name@version` of each package that was installed */
async function packagesIn(folder: string): Promise<string[]> {
  const files = await Array.fromAsync(glob("**/node_modules/{*,@*/*}/package.json", { cwd: folder }));
  const packages = await Promise.all(
    files
      .filter((file) => /node_modules\/(?:@[^/]+\/)?[^@/]+\/package\.json$/.test(file))
      .map(async (file) => installed.safeParse(JSON.parse(await readFile(join(folder, file), "utf8"))).data),
  );
  return packages.flatMap((each) => (each ? [`${each.name}@${each.version}`] : []));
}

/** Starts the image's processes on a database of their own, asks whether they are healthy, and stops them. */
async function run(image: Stage): Promise<void> {
  if (image.user === "root") throw new Error("The image runs as root");
  const size = execFileSync("du", ["-sm", image.folder], { encoding: "utf8" }).split("\t")[0] ?? "";
  const bill = execFileSync("npm", ["run", "-s", "sbom"], { encoding: "utf8", maxBuffer: 1e8 });
  const { components } = sbom.parse(JSON.parse(bill));
  const named = new Set(components.map((component) => component["bom-ref"]));
  const unnamed = (await packagesIn(image.folder)).filter((each) => !named.has(each));
  if (unnamed.length > 0) throw new Error(`The bill of materials lacks ${unnamed.join(", ")}`);
  say(`The image's own files: ${size} MB; the bill of materials names all of its ${named.size} packages`);
  const cluster = await openCluster();
  const [port, metricsPort] = [String(await steadyPort()), String(await steadyPort())];
  const service = "http://127.0.0.1:9";
  const env = {
    ...image.env,
    PATH: process.env["PATH"],
    PORT: port,
    DATABASE_URL: serverUrl(cluster.port, await cluster.newDatabase()),
    SHOPIFY_API_KEY: "key",
    SHOPIFY_API_SECRET: "secret",
    SHOPIFY_APP_URL: "http://127.0.0.1",
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
    INSURANCE_BASE_URL_TEST: service,
    INSURANCE_BASE_URL_PRODUCTION: service,
    PLAIN_HTTP_IN_PRODUCTION: "yes",
    STOP_DELAY_SECONDS: "0",
  };
  const started: ChildProcess[] = [];
  const start = ([file = "", ...args]: string[], given: Record<string, string> = {}): ChildProcess => {
    const [command, ...options] = CONTAINED;
    if (command === undefined) throw new Error("Nothing contains the image");
    const child = spawn(command, [...options, file, ...args], {
      cwd: image.folder,
      // NODE_ENV is the image's.
      env: { NODE_ENV: "development", ...env, ...given },
      stdio: ["ignore", "inherit", "inherit"],
    });
    started.push(child);
    return child;
  };
  const exitOf = async (command: string[]): Promise<unknown> => (await once(start(command), "exit"))[0];
  const expectExit = async (command: string[], code: number): Promise<void> => {
    const exit = await exitOf(command);
    if (exit !== code) throw new Error(`${command.join(" ").slice(0, 80)} ended with ${String(exit)}`);
  };
  try {
    for (const folder of [".", "build", "node_modules", "/tmp", "/var/tmp"]) {
      await expectExit(["sh", "-c", `! touch ${folder}/written 2>/dev/null`], 0);
    }
    await expectExit(image.command, 1);
    await expectExit(["node", "build/processes/migrate.js"], 0);
    const web = start(image.command);
    const worker = start(["node", "build/processes/worker.js"], { METRICS_PORT: metricsPort });
    const isHealthy = await becomesTrue(async () => (await exitOf(image.health)) === 0, 60_000, 1_000);
    const isReady = (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
    const lives = () =>
      fetch(`http://127.0.0.1:${metricsPort}/livez`).then(
        ({ ok }) => ok,
        () => false,
      );
    const isWorking = await becomesTrue(lives, 60_000, 1_000);
    if (!isHealthy || !isReady || !isWorking) throw new Error("The image does not get healthy");
    for (const child of [web, worker]) {
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      const code: unknown = (await exit)[0];
      if (code !== 0) throw new Error(`A process ended with ${String(code)}`);
    }
    say("The image refuses an empty database, migrates it, is healthy and ready, writes nothing, and stops.");
  } finally {
    for (const child of started) child.kill("SIGKILL");
    await cluster.close();
  }
}
