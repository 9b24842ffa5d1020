/** How a run ends early. */
import { AppError } from "#app/platform/app-error.ts";

/** The merchant cancelled the run. */
export class RunCancelled extends AppError {
  override name = "RunCancelled";
}

/** The run cannot succeed until somebody does something; trying again later is useless. */
export class RunRefused extends AppError {
  override name = "RunRefused";
  readonly reason: "not_connected" | "token_refused" | "no_access" | "platform_refused" | "nothing_to_sell";
  constructor(reason: RunRefused["reason"], detail: string) {
    super(detail);
    this.reason = reason;
  }
}
