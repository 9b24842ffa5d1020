/**
 * The built app as a process of its own, the way a production machine runs it.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";

export interface AppProcess {
  /** `http://127.0.0.1:4012` */
  url: string;
  /** where its log goes */
  logFile: string;
  child: ChildProcess;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

const listening = z.object({ listening: z.url() });

/** The app ended before it listened. */
export class AppDidNotStartError extends Error {
  override name = "AppDidNotStartError";
}

/**
 * Starts what `npm start` starts and waits until it listens.
 * @param environment added to a clean environment: of this process's own only PATH, HOME and
 *   NODE_COMPILE_CACHE are passed on
 */
export async function startApp(environment: NodeJS.ProcessEnv, logFolder: string): Promise<AppProcess> {
  const logFile = join(logFolder, "app.log");
  const log = createWriteStream(logFile, { flags: "a" });
  const child = spawn("node", ["--max-semi-space-size=8", "build/processes/server.js"], {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      MALLOC_TRIM_THRESHOLD_: "131072",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4_000);
    log.write(chunk);
  });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const said = listening.safeParse(parseLine(line));
      if (said.success) resolve(said.data.listening);
      else log.write(`${line}\n`);
    });
    child.once("exit", (code) =>
      reject(new AppDidNotStartError(`The app ended with code ${code ?? "none"}: ${errors.trim()}`)),
    );
  });
  return {
    url,
    logFile,
    child,
    async stop(signal = "SIGTERM") {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill(signal);
      await gone;
      log.end();
    },
  };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
