/** The parts of an error that may be written to logs, the queue's output and the inbox. */
import { AppError } from "./app-error.ts";

export interface ErrorDescription {
  name: string;
  /** the app's own message; for other errors the name and code */
  message: string;
  code?: string;
  status?: number;
  cause?: ErrorDescription;
  /** the stack frames */
  frames?: string[];
}

const MAX_CAUSES = 3;
const MAX_FRAMES = 8;

/**
 * Describes an error with an allowlist of its parts. Library errors contain requests, responses and statement values,
 * in their properties and messages.
 */
export function describeError(error: unknown, causes = MAX_CAUSES): ErrorDescription {
  if (!(error instanceof Error)) return { name: "NotAnError", message: `a ${typeof error} was thrown` };
  const name = word(error.name) ?? "Error";
  const code = "code" in error ? word(error.code) : undefined;
  const status = "status" in error && typeof error.status === "number" ? error.status : undefined;
  const frames = framesOf(error);
  return {
    name,
    message: error instanceof AppError ? error.message : [name, code].filter(Boolean).join(" "),
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { status }),
    ...(error.cause instanceof Error && causes > 0 ? { cause: describeError(error.cause, causes - 1) } : {}),
    ...(frames.length > 0 ? { frames } : {}),
  };
}

/** A name or code of one word, or a number: libraries may put anything there. */
function word(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && /^[\w.-]{1,60}$/.test(value) ? value : undefined;
}

/** The stack without its first lines, which repeat the message. */
function framesOf({ stack = "" }: Error): string[] {
  return stack
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => /^at [^\n]*:\d+:\d+\)?$/.test(line))
    .slice(0, MAX_FRAMES);
}
