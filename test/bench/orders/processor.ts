/** Processor time, as Linux counts it: in hundredths of a second. */
import { readFile, readdir } from "node:fs/promises";

interface Times {
  parent: number;
  own: number;
  /** of children that have ended */
  ended: number;
}

/** @returns null where there is no such process any more */
async function timesOf(pid: number): Promise<Times | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  const [, fields = ""] = stat.split(") ");
  const [parent = NaN, user = NaN, system = NaN, endedUser = NaN, endedSystem = NaN] = [
    1, 11, 12, 13, 14,
  ].map((index) => Number(fields.split(" ")[index]));
  return { parent, own: (user + system) / 100, ended: (endedUser + endedSystem) / 100 };
}

/** Processor time in seconds that a process has taken so far; NaN where it is gone. */
export async function processorSeconds(pid: number | undefined): Promise<number> {
  return (await timesOf(pid ?? 0))?.own ?? NaN;
}

/** That of a PostgreSQL server with all its processes, also those that have ended. @param backend the process of one connection */
export async function serverSeconds(backend: number): Promise<number> {
  const server = (await timesOf(backend))?.parent;
  if (server === undefined) return NaN;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const all = await Promise.all(pids.map(timesOf));
  const itself = await timesOf(server);
  return all
    .filter((each) => each?.parent === server)
    .reduce((sum, each) => sum + (each?.own ?? 0), (itself?.own ?? NaN) + (itself?.ended ?? NaN));
}
