/** The built app in a process of its own, as on a production machine. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { buildApp } from "#test/build.ts";

export interface AppProcess {
  /** `http://127.0.0.1:4012` */
  url: string;
  /** the file of its log */
  logFile: string;
  child: ChildProcess;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** The app exited before it listened. */
export class AppDidNotStartError extends Error {
  override name = "AppDidNotStartError";
}

/**
 * A start takes one to three seconds. This timeout reports a hanging start before the test's own timeout hides the
 * cause.
 */
const START_MS = 120_000;

/**
 * Starts what `npm start` starts and waits until it listens.
 * @param environment added to a clean environment: only PATH, HOME and NODE_COMPILE_CACHE are passed on
 */
export async function startApp(environment: NodeJS.ProcessEnv, logFolder: string): Promise<AppProcess> {
  return startServer(["app/processes/server.ts"], { BUILD_DIR: await buildApp(), ...environment }, logFolder);
}

/** Starts Vite's development server with the app, with hot reload, and waits until it answers. */
export async function startDevelopment(
  environment: NodeJS.ProcessEnv,
  logFolder: string,
): Promise<AppProcess> {
  const vite = ["node_modules/@remix-run/dev/dist/cli.js", "vite:dev", "--host", "127.0.0.1"];
  const { VITE_CACHE_DIR } = process.env;
  return startServer(
    vite,
    { ...environment, VITE_CACHE_DIR, NODE_ENV: "development", NO_COLOR: "1" },
    logFolder,
  );
}

async function startServer(
  command: string[],
  environment: NodeJS.ProcessEnv,
  logFolder: string,
): Promise<AppProcess> {
  const logFile = join(logFolder, "app.log");
  const log = createWriteStream(logFile, { flags: "a" });
  const child = spawn("node", command, {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // The app always ends with this process.
  const kill = () => child.kill();
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4_000);
    log.write(chunk);
  });
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill();
      reject(
        new AppDidNotStartError(`The app does not listen after ${START_MS / 1_000} s: ${errors.trim()}`),
      );
    }, START_MS);
    late.unref();
    createInterface({ input: child.stdout }).on("line", (line) => {
      const address = readAddress(line);
      if (address === null) log.write(`${line}\n`);
      else {
        clearTimeout(late);
        resolve(address);
      }
    });
    child.once("exit", (code) => {
      clearTimeout(late);
      reject(new AppDidNotStartError(`The app ended with code ${code ?? "none"}: ${errors.trim()}`));
    });
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

/** The URL in a line of the server's log: the app prints JSON, Vite "Local: http://…/". */
function readAddress(line: string): string | null {
  return (
    /^\{"listening":"(http[^"]+)"\}$/.exec(line)?.[1] ?? /Local:\s+(http\S+?)\/?$/.exec(line)?.[1] ?? null
  );
}
