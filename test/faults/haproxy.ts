/** Debian's HAProxy with the configuration of docs/operations, in front of two cells. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { becomesTrue } from "#test/eventually.ts";

export const HAPROXY = "/usr/sbin/haproxy";

export interface CellProxy {
  /** sends a shop's requests to another cell from now on */
  move(shop: string, cell: string): Promise<void>;
  close(): Promise<void>;
}

/** @param ports where the cells' web processes listen */
export async function openCellProxy(
  port: number,
  ports: { a: number; b: number },
  shops: Record<string, string>,
  folder: string,
): Promise<CellProxy> {
  const map = join(folder, "cells.map");
  const socket = join(folder, "haproxy.sock");
  await writeFile(
    map,
    Object.entries(shops)
      .map((line) => `${line.join(" ")}\n`)
      .join(""),
  );
  const child = spawn(HAPROXY, ["-db", "-q", "-f", "docs/operations/haproxy.cfg"], {
    env: {
      NODE_ENV: "production",
      CELLS_BIND: `127.0.0.1:${port}`,
      CELLS_MAP: map,
      CELLS_DEFAULT: "a",
      CELLS_SOCKET: socket,
      CELL_A: `127.0.0.1:${ports.a}`,
      CELL_B: `127.0.0.1:${ports.b}`,
    },
    stdio: "ignore",
  });
  process.once("exit", () => child.kill("SIGKILL"));
  const tell = async (command: string): Promise<string> => {
    const line = connect(socket);
    line.end(`${command}\n`);
    return text(line);
  };
  const isUp = async () => (await tell("show info").catch(() => "")).includes("Version");
  if (!(await becomesTrue(isUp, 10_000))) throw new Error("HAProxy is not up");
  return {
    async move(shop, cell) {
      const said = await tell(`set map ${map} ${shop} ${cell}`);
      if (said.trim() !== "") throw new Error(`HAProxy did not change its map: ${said}`);
    },
    async close() {
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      await exit;
    },
  };
}
