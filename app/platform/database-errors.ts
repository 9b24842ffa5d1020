/** Errors of a database that cannot be reached, and what an operator reads about them. */
import { AppError } from "./app-error.ts";

/** The database does not accept a connection. The message names the variable, never the password. */
export class DatabaseUnreachableError extends AppError {
  override name = "DatabaseUnreachableError";
}

/** PostgreSQL: shut down, crashed, starting; connection failures. Prisma: unreachable, timed out, closed. */
const lostCodes = /^(57P0[123]|08[0-9A-Z]{3}|53300|P1001|P1002|P1008|P1017)$/;
/** Errors of pg without a code. */
const lostMessages =
  /^(Connection (terminated|ended)|Client was closed|Cannot use a pool after|timeout exceeded when trying to connect|The database timed out|Client has encountered a connection error)/;

/** Of a connection to any server. */
const brokenConnection = /^(ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE)$/;

const MAX_CAUSES = 3;

/** An error of the queue's own connection, whose broken connections are the database's. */
export function fromDatabase(error: unknown): unknown {
  if (!(error instanceof Error) || !brokenConnection.test(codeOf(error))) return error;
  return new DatabaseUnreachableError(`the database ${connectionProblem(error)}`, { cause: error });
}

interface Known {
  /** the port of the database */
  port: number | null;
  /** the database is lost: what breaks now breaks with it */
  isLost: boolean;
}

/** Whether the error says that the connection to the database is lost. Other servers' errors have none of its codes. */
export function isDatabaseLoss(error: unknown, known: Known, causes = MAX_CAUSES): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (error instanceof DatabaseUnreachableError) return true;
  if (lostCodes.test(code) || lostMessages.test(error.message)) return true;
  if (known.port !== null && "port" in error && error.port === known.port) return true;
  // Prisma words a raw statement's failure in ways of its own (P2010).
  if (known.isLost && (brokenConnection.test(code) || error.name.startsWith("PrismaClient"))) return true;
  const inner: unknown[] = [error.cause].concat(partsOf(error));
  return causes > 0 && inner.some((each) => isDatabaseLoss(each, known, causes - 1));
}

/** Whether the database could not write because its disk is full. It still answers what it only reads. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && (codeOf(error) === "53100" || isDiskFull(error.cause));
}

const NO_SPACE = "has no space left on its disk";
export const DISK_FULL = `${NO_SPACE} (53100)`;

/** Why a connection failed, in words: `refused the connection (ECONNREFUSED)`. */
export function connectionProblem(error: unknown): string {
  const code = error instanceof Error ? codeOf(error) : "";
  const reason = reasons[code] ?? "does not answer";
  return code === "" ? reason : `${reason} (${code})`;
}

const reasons: Partial<Record<string, string>> = {
  ECONNREFUSED: "refuses the connection: it is not running, or listens elsewhere",
  ENOTFOUND: "is not found: the host's name is unknown",
  EAI_AGAIN: "is not found: the host's name cannot be looked up",
  EHOSTUNREACH: "cannot be reached: there is no way to its host",
  ETIMEDOUT: "does not answer in time",
  ECONNRESET: "ended the connection",
  "28P01": "refuses the password",
  "28000": "refuses the user",
  "3D000": "has no database of this name",
  "53100": NO_SPACE,
  "53300": "has no connection left",
  "57P03": "is starting or shutting down",
  "57P01": "is shut down",
};

/** The errors of a host's several addresses. */
function partsOf(error: Error): unknown[] {
  return error instanceof AggregateError ? error.errors : [];
}

function codeOf(error: Error): string {
  const [first] = partsOf(error);
  if (first instanceof Error) return codeOf(first);
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The server of an address, without user and password: `db.example:5432/parasol`. */
export function serverOf(connectionString: string): string {
  const url = URL.parse(connectionString);
  return url === null ? "malformed" : `${url.hostname}:${url.port || "5432"}${url.pathname}`;
}

export function portOf(connectionString: string): number | null {
  const url = URL.parse(connectionString);
  return url === null ? null : Number(url.port || "5432");
}
