/** PgBouncer in front of a PostgreSQL server, with the settings of docs/operations/pgbouncer.ini. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { steadyPort } from "./cluster.ts";
import { becomesTrue } from "./eventually.ts";

export interface PgBouncer {
  port: number;
  close(): Promise<void>;
}

/** Debian's package installs it here. */
const PROGRAM = "/usr/sbin/pgbouncer";
export const hasPgBouncer = existsSync(PROGRAM);

/** The settings of docs/operations with these ports, for every database of the server. */
async function pgBouncerSettings(own: { serverPort: number; port: number; users: string }): Promise<string> {
  const settings = await readFile("docs/operations/pgbouncer.ini", "utf8");
  return settings
    .replace(/^parasol = .*$/m, `* = host=127.0.0.1 port=${own.serverPort}`)
    .replace(/^listen_addr = .*$/m, "listen_addr = 127.0.0.1")
    .replace(/^listen_port = .*$/m, `listen_port = ${own.port}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${own.users}`);
}

export async function openPgBouncer(serverPort: number): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), "parasol-pgbouncer-"));
  await chmod(folder, 0o755);
  const port = await steadyPort();
  const users = join(folder, "users.txt");
  await writeFile(users, '"parasol" "parasol"\n');
  const ini = join(folder, "pgbouncer.ini");
  await writeFile(ini, await pgBouncerSettings({ serverPort, port, users }));
  // PgBouncer refuses to run as root.
  const child =
    userInfo().uid === 0
      ? spawn("runuser", ["-u", "postgres", "--", PROGRAM, "-q", ini], { stdio: "ignore" })
      : spawn(PROGRAM, ["-q", ini], { stdio: "ignore" });
  const ended = once(child, "exit");
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => resolve(false));
    });
  if (!(await becomesTrue(isOpen))) throw new Error("PgBouncer does not start");
  return {
    port,
    async close() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
