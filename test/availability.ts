/**
 * The installation of docs/operations/availability on this machine's loopback, from Debian's programs: etcd, two
 * PostgreSQL nodes under Patroni with a PgBouncer each, and HAProxy. A program that ends is started again after a second,
 * as a supervisor does, until its node is lost.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { steadyPort } from "./cluster.ts";
import { eventually } from "./eventually.ts";
import { pgBouncerSettings } from "./pgbouncer.ts";

const programs = {
  etcd: "/usr/bin/etcd",
  patroni: "/usr/bin/patroni",
  haproxy: "/usr/sbin/haproxy",
  pgbouncer: "/usr/sbin/pgbouncer",
  postgres: "/usr/lib/postgresql/15/bin/postgres",
};

/** Debian's packages of the programs. */
const PACKAGES = "etcd-server patroni haproxy pgbouncer postgresql-15";

/** What these programs need is not installed. */
export class ProgramsMissingError extends Error {
  override name = "ProgramsMissingError";
}

type Program = "postgres" | "pgbouncer" | "haproxy";

export interface Installation {
  /** statements, over HAProxy and PgBouncer */
  statementsPort: number;
  /** PostgreSQL itself, over HAProxy */
  directPort: number;
  /** the name of the primary */
  primary(): Promise<string>;
  /** Kills every process of the primary's node with SIGKILL: Patroni, PostgreSQL and PgBouncer stay away. */
  losePrimary(): Promise<string>;
  /** The lost node comes back. */
  returnNode(name: string): Promise<void>;
  /** Kills one program, which its supervisor starts again: of the primary's node, or HAProxy. */
  kill(program: Program): Promise<void>;
  /** Whether this node is a standby that has every commit. */
  isSynchronousStandby(name: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Node {
  name: string;
  ports: { postgres: number; patroni: number; pgbouncer: number };
  dataDir: string;
  processes: Supervised[];
}

interface Supervised {
  kill(): void;
  stop(signal: NodeJS.Signals): Promise<void>;
}

const user = "parasol";

/** PostgreSQL does not run as root, so nothing here does. */
async function postgresUser(): Promise<{ uid: number; gid: number } | null> {
  if (userInfo().uid !== 0) return null;
  const id = async (flag: string) => Number((await promisify(execFile)("id", [flag, "postgres"])).stdout);
  return { uid: await id("-u"), gid: await id("-g") };
}

/** @param webPorts of the two web processes that HAProxy divides the requests among @param webPort where it takes them */
export async function openInstallation(
  webPort: number,
  webPorts: readonly [number, number],
): Promise<Installation> {
  const missing = Object.values(programs).filter((program) => !existsSync(program));
  if (missing.length > 0)
    throw new ProgramsMissingError(
      `Not installed: ${missing.join(", ")}. Debian has them: apt install ${PACKAGES}`,
    );
  const owner = await postgresUser();
  const folder = await mkdtemp(join(tmpdir(), "parasol-availability-"));
  await chmod(folder, 0o777);
  const supervise = (
    name: string,
    program: string,
    args: string[],
    env: Record<string, string> = {},
  ): Supervised => {
    const log = createWriteStream(join(folder, `${name}.log`), { flags: "a" });
    let child: ChildProcess;
    let isWanted = true;
    const start = () => {
      child = spawn(program, args, {
        ...(owner ?? {}),
        cwd: folder,
        env: { NODE_ENV: "production", PATH: process.env["PATH"], LC_ALL: "C.UTF-8", ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout?.on("data", (chunk: Buffer) => log.write(chunk));
      child.stderr?.on("data", (chunk: Buffer) => log.write(chunk));
      child.once("exit", () => {
        if (isWanted) setTimeout(() => isWanted && start(), 1_000);
      });
    };
    start();
    return {
      kill: () => child.kill("SIGKILL"),
      async stop(signal) {
        isWanted = false;
        if (child.exitCode !== null || child.signalCode !== null) return;
        const ended = once(child, "exit");
        child.kill(signal);
        await ended;
      },
    };
  };
  const ownedFolder = async (name: string) => {
    const path = join(folder, name);
    await mkdir(path, { mode: 0o700 });
    if (owner) await chown(path, owner.uid, owner.gid);
    return path;
  };

  const [etcdPort, peerPort] = [await steadyPort(), await steadyPort()];
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const etcd = supervise("etcd", programs.etcd, [
    ...["--name", "etcd", "--data-dir", await ownedFolder("etcd"), "--log-level", "error"],
    ...["--listen-client-urls", etcdUrl, "--advertise-client-urls", etcdUrl],
    ...["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl],
    ...["--initial-cluster", `etcd=${peerUrl}`],
  ]);

  const startNode = (node: Node) => {
    const { name, ports, dataDir } = node;
    const address = (port: number) => `127.0.0.1:${port}`;
    const patroni = supervise(
      `patroni-${name}`,
      programs.patroni,
      [join(process.cwd(), "docs/operations/availability/patroni.yml")],
      {
        PATRONI_NAME: name,
        PATRONI_RESTAPI_LISTEN: address(ports.patroni),
        PATRONI_RESTAPI_CONNECT_ADDRESS: address(ports.patroni),
        PATRONI_ETCD3_HOSTS: `'${address(etcdPort)}'`,
        PATRONI_POSTGRESQL_LISTEN: address(ports.postgres),
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: address(ports.postgres),
        PATRONI_POSTGRESQL_DATA_DIR: dataDir,
        PATRONI_POSTGRESQL_BIN_DIR: "/usr/lib/postgresql/15/bin",
        PATRONI_POSTGRESQL_PGPASS: join(folder, `pgpass-${name}`),
        PATRONI_SUPERUSER_USERNAME: user,
        PATRONI_SUPERUSER_PASSWORD: user,
        PATRONI_REPLICATION_USERNAME: "replicator",
        PATRONI_REPLICATION_PASSWORD: "replicator",
      },
    );
    const pgbouncer = supervise(`pgbouncer-${name}`, programs.pgbouncer, ["-q", join(folder, `${name}.ini`)]);
    node.processes = [patroni, pgbouncer];
  };
  const makeNode = async (name: string): Promise<Node> => {
    const ports = {
      postgres: await steadyPort(),
      patroni: await steadyPort(),
      pgbouncer: await steadyPort(),
    };
    const users = join(folder, "users.txt");
    await writeFile(users, `"${user}" "${user}"\n`);
    const settings = await pgBouncerSettings({ serverPort: ports.postgres, port: ports.pgbouncer, users });
    await writeFile(join(folder, `${name}.ini`), settings);
    return { name, ports, dataDir: join(await ownedFolder(`node-${name}`), "data"), processes: [] };
  };
  const nodes = [await makeNode("a"), await makeNode("b")];
  nodes.forEach(startNode);
  const [a, b] = nodes;
  if (!a || !b) throw new Error("There are two nodes");

  const [statementsPort, directPort] = [await steadyPort(), await steadyPort()];
  const on = (port: number) => `127.0.0.1:${port}`;
  const haproxy = supervise(
    "haproxy",
    programs.haproxy,
    ["-db", "-f", join(process.cwd(), "docs/operations/availability/haproxy.cfg")],
    {
      STATEMENTS_ADDRESS: on(statementsPort),
      DIRECT_ADDRESS: on(directPort),
      WEB_ADDRESS: on(webPort),
      A_HOST: "127.0.0.1",
      A_POSTGRES_PORT: String(a.ports.postgres),
      A_PGBOUNCER_PORT: String(a.ports.pgbouncer),
      A_PATRONI_PORT: String(a.ports.patroni),
      B_HOST: "127.0.0.1",
      B_POSTGRES_PORT: String(b.ports.postgres),
      B_PGBOUNCER_PORT: String(b.ports.pgbouncer),
      B_PATRONI_PORT: String(b.ports.patroni),
      WEB_ONE: on(webPorts[0]),
      WEB_TWO: on(webPorts[1]),
    },
  );

  const answers = async ({ ports }: Node, path: string): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${ports.patroni}${path}`).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  };
  const primaryNode = async (): Promise<Node> => {
    for (const node of nodes) if (await answers(node, "/primary")) return node;
    throw new Error("There is no primary");
  };
  const nodeOf = (name: string): Node => {
    const node = nodes.find((each) => each.name === name);
    if (!node) throw new Error(`There is no node ${name}`);
    return node;
  };
  const isSynchronousStandby = (name: string) => answers(nodeOf(name), "/synchronous");
  /** The server's own process, and by their parent all that it started. */
  const killPostgres = async ({ dataDir }: Node): Promise<void> => {
    const file = await readFile(join(dataDir, "postmaster.pid"), "utf8");
    const postmaster = z.coerce.number().int().positive().parse(file.split("\n")[0]);
    const { stdout } = await promisify(execFile)("ps", ["-o", "pid=", "--ppid", String(postmaster)]).catch(
      () => ({ stdout: "" }),
    );
    for (const pid of [
      postmaster,
      ...stdout
        .split("\n")
        .map(Number)
        .filter((each) => each > 0),
    ])
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It ended between the list and the signal.
      }
  };

  const installation: Installation = {
    statementsPort,
    directPort,
    primary: async () => (await primaryNode()).name,
    async losePrimary() {
      const node = await primaryNode();
      await Promise.all([...node.processes.map((each) => each.stop("SIGKILL")), killPostgres(node)]);
      return node.name;
    },
    returnNode(name) {
      startNode(nodeOf(name));
      return Promise.resolve();
    },
    async kill(program) {
      const node = await primaryNode();
      if (program === "haproxy") haproxy.kill();
      else if (program === "pgbouncer") node.processes[1]?.kill();
      else await killPostgres(node);
    },
    isSynchronousStandby,
    async close() {
      await haproxy.stop("SIGKILL");
      for (const node of nodes) {
        await Promise.all(node.processes.map((each) => each.stop("SIGKILL")));
        await killPostgres(node).catch(() => undefined);
      }
      await etcd.stop("SIGKILL");
      await wait(200);
      await rm(folder, { recursive: true, force: true });
    },
  };
  const within = { withinMs: 120_000, everyMs: 500 };
  const primary = await eventually(() => installation.primary(), "Patroni has a primary", within);
  const standby = primary === "a" ? "b" : "a";
  await eventually(() => isSynchronousStandby(standby), "Patroni has a synchronous standby", within);
  return installation;
}
