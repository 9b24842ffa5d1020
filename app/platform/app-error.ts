/**
 * An error that this app words itself: its message is written for logs, tasks and the queue, and holds no secret, no
 * personal data and nothing of a response's body. Messages of all other errors are never written down
 * (describe-error.ts).
 */
export class AppError extends Error {
  override name = "AppError";
}
