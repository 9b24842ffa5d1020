/** How a run ends early. */

/** The merchant cancelled the run. */
export class RunCancelled extends Error {
  override name = "RunCancelled";
}

/** The run cannot succeed until somebody does something; trying again later is useless. */
export class RunRefused extends Error {
  override name = "RunRefused";
  readonly reason: "not_connected" | "token_refused" | "no_access" | "platform_refused";
  constructor(reason: RunRefused["reason"], detail: string) {
    super(detail);
    this.reason = reason;
  }
}
