/**
 * An error with a message of this app, written for logs, tasks and the queue. The message contains no secret, no
 * personal data and no part of a response's body. Messages of all other errors are never logged or stored
 * (describe-error.ts).
 */
export class AppError extends Error {
  override name = "AppError";

  /** The error's kind in one word for code, logs and metrics: the class in snake_case, or a finer code. */
  get code(): string {
    return this.name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  }
}
