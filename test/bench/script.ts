/** Scripts that a benchmark runs in processes of their own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Starts a script of this folder and reads the JSON line that it prints. @throws Error where it ends before */
export async function startScript(
  script: string,
  args: string[],
): Promise<{ answer: unknown; stop: () => void }> {
  const path = new URL(script, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const next: Promise<unknown[]> = Promise.race([once(lines, "line"), once(lines, "close")]);
  const [line] = await next;
  if (typeof line !== "string") throw new Error(`Failed to run ${script}: it ended without a line of output`);
  return { answer: JSON.parse(line), stop: () => child.kill() };
}
