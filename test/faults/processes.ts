/** The app's processes as on a production machine: tests kill, stop and restart them. */
import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { buildApp } from "#test/build.ts";

export interface AppProcess {
  child: ChildProcess;
  /** The last lines of its error output. */
  lastWords(): string;
  /**
   * Sends a signal and waits until the process has exited; kills it after `patienceMs`.
   * @returns the milliseconds that it took
   */
  end(signal?: NodeJS.Signals, patienceMs?: number): Promise<number>;
  gone(): boolean;
}

export interface ProcessOptions {
  entry: string;
  env: Record<string, string>;
  logFile: string;
  /** Modules loaded before the app's: a wrong clock. */
  preload?: string[];
  /** The folder of the code, if not this one. */
  cwd?: string;
}

/** The process exited before it was ready, or did not become ready. */
export class DidNotStartError extends Error {
  override name = "DidNotStartError";
}

/** Running processes: none of them outlives this one. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

/** A start waits for a dead process's lock on a folder, and a busy machine is slow. */
const UP_WITHIN_MS = 300_000;

async function surroundings(): Promise<NodeJS.ProcessEnv> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { NODE_ENV: "production", PATH, HOME, NODE_COMPILE_CACHE, BUILD_DIR: await buildApp() };
}

/** Runs a command of the app to its end. @throws Error with its output if it fails */
export async function runProcess(
  entry: string,
  { env, cwd, args = [] }: { env: Record<string, string>; cwd?: string; args?: string[] },
): Promise<string> {
  const run = promisify(execFile);
  return (await run(process.execPath, [entry, ...args], { env: { ...(await surroundings()), ...env }, cwd }))
    .stdout;
}

/** Starts a process of the app and waits until it is ready. @throws DidNotStartError with its output */
export async function startProcess({
  entry,
  env,
  logFile,
  preload = [],
  cwd,
}: ProcessOptions): Promise<AppProcess> {
  const log = createWriteStream(logFile, { flags: "a" });
  const child = spawn(process.execPath, [...preload.flatMap((file) => ["--import", file]), entry], {
    env: { ...(await surroundings()), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    cwd,
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-4_000);
    log.write(chunk);
  });
  const gone = () => child.exitCode !== null || child.signalCode !== null;
  await new Promise<void>((resolve, reject) => {
    const impatience = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new DidNotStartError(`not up after ${UP_WITHIN_MS / 1_000} s: ${words.trim()}`));
    }, UP_WITHIN_MS);
    createInterface({ input: child.stdout }).on("line", (line) => {
      log.write(`${line}\n`);
      if (!line.includes('"listening"') && !line.includes('"Worker started"')) return;
      clearTimeout(impatience);
      resolve();
    });
    child.once("exit", (code, signal) => {
      clearTimeout(impatience);
      reject(new DidNotStartError(`${code ?? signal ?? ""}: ${words.trim()}`));
    });
  });
  return {
    child,
    gone,
    lastWords: () => words,
    async end(signal = "SIGKILL", patienceMs = 60_000) {
      const started = performance.now();
      if (gone()) return 0;
      const exit = once(child, "exit");
      child.kill(signal);
      const impatience = setTimeout(() => child.kill("SIGKILL"), patienceMs);
      await exit;
      clearTimeout(impatience);
      return performance.now() - started;
    },
  };
}
