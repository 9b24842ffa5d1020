/** Errors that are about a merchant's account at the insurer, not about one order. */
import { Unauthorised, Unavailable } from "#app/insurance/errors.ts";
import { AppError } from "#app/platform/app-error.ts";

/** There is work for the insurer and the merchant has no account there. */
export class NotConnectedError extends AppError {
  override name = "NotConnectedError";
  constructor(shop: string) {
    super(`${shop} has paid plans waiting and is not connected to the insurer`);
  }
}

/** Whether an error is about the account as a whole: no other order would fare better now. */
export function isAboutAccount(error: unknown): boolean {
  if (error instanceof Unavailable) return error.code === "circuit_open";
  return error instanceof Unauthorised || error instanceof NotConnectedError;
}
