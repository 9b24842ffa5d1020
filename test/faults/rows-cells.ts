/** Two cells behind HAProxy: a shop is moved while orders come, and one cell goes down. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { serverUrl, steadyPort } from "#test/cluster.ts";
import { HAPROXY, openCellProxy } from "./haproxy.ts";
import { runProcess } from "./processes.ts";
import type { Round } from "./round.ts";
import type { Row } from "./row.ts";

const COMMAND = "build/processes/move-shop.js";

/** Begins a move and kills it in the middle: the shop is closed here, and its rows are on their way. */
async function killMove(shop: string, env: Record<string, string>): Promise<boolean> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [COMMAND, "--shop", shop], {
    env: { NODE_ENV: "production", PATH, HOME, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exit = once(child, "exit");
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.includes('"closed"')) child.kill("SIGKILL");
  });
  await exit;
  return child.signalCode === "SIGKILL";
}

/** The databases of two cells: all shops are in the first one. */
async function twoDatabases(round: Round) {
  const { house } = round;
  const first = (await round.database())["DATABASE_URL"] ?? "";
  const second = serverUrl(house.postgresPort, await house.newEmptyDatabase());
  await runProcess("build/processes/migrate.js", { env: { ...house.env, DATABASE_URL: second } });
  round.judgesToo(second);
  return {
    a: { CELL: "a", DATABASE_URL: first },
    b: { CELL: "b", DATABASE_URL: second },
    move: { ...house.env, CELL: "a", DATABASE_URL: first, TARGET_DATABASE_URL: second },
  };
}

export const cellRows: Row[] = [
  {
    row: 17,
    name: "two cells behind HAProxy: a shop is moved while orders come, then its first cell goes down",
    full: { server: 600 },
    short: 30,
    needs: HAPROXY,
    async play(round) {
      const { house, sales } = round;
      const [stays] = house.shops;
      const moves = house.shops[1] ?? stays;
      const { a, b, move } = await twoDatabases(round);
      const ports = { a: await steadyPort(), b: await steadyPort() };
      const proxy = await openCellProxy(
        house.webPort,
        ports,
        Object.fromEntries(house.shops.map(({ shopDomain }) => [shopDomain, "a"])),
        house.folder,
      );
      const openCell = async (cell: Record<string, string>, port: number) => [
        await round.web({ ...cell, PORT: String(port) }),
        await round.worker(cell),
      ];
      const first = await openCell(a, ports.a);
      await openCell(b, ports.b);

      const progress = { isMoved: false };
      const moveShop = async () => {
        const wasKilled = await killMove(moves.shopDomain, move);
        if (!wasKilled) round.wrong.push("the move was over before it could be killed");
        await wait(500);
        await runProcess(COMMAND, { env: move, args: ["--shop", moves.shopDomain] });
        await proxy.move(moves.shopDomain, "b");
        progress.isMoved = true;
      };
      const moving = moveShop();
      for (let each = 0; each < round.orders || !progress.isMoved; each++) {
        const order = sales.buy(round.random.between(1, 2), each % 2 === 0 ? moves : stays);
        if (round.random.next() < 0.1) sales.cancel(order);
        await Promise.race([wait(round.short ? 150 : 40), moving.then(() => wait(1))]);
        if (each > round.orders * 10) break;
      }
      await moving;
      await runProcess(COMMAND, { env: move, args: ["--shop", moves.shopDomain, "--forget"] });
      const metFence = sales
        .deliveries()
        .some(({ attempts }) => attempts.some(({ status }) => status === 503));
      if (!metFence) round.wrong.push("no order came while the shop was moved");

      // The first cell goes: the other one's orders are insured, its own wait until it is back.
      await Promise.all(first.map((each) => each.end("SIGKILL")));
      const served = Array.from({ length: 5 }, () => sales.buy(1, moves));
      const waiting = sales.buy(1, stays);
      for (const order of served)
        if (!(await sales.insured(order)))
          round.wrong.push("an order of the cell that is up was not insured");
      if (sales.isInsured(waiting)) round.wrong.push("an order was insured by a cell that was down");
      await openCell(a, ports.a);
      if (!(await sales.insured(waiting))) round.wrong.push("the order that waited was not insured");
      await round.settle(240_000);
      await proxy.close();
    },
  },
];
