/**
 * An error that this app words itself: its message is written for logs, tasks and the queue, and holds no secret, no
 * personal data and nothing of a response's body. Messages of all other errors are never written down
 * (describe-error.ts).
 */
export class AppError extends Error {
  override name = "AppError";

  /** What happened, as one word for code, logs and metrics: the class in snake_case, or finer where it has several reasons. */
  get code(): string {
    return this.name.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
  }
}
