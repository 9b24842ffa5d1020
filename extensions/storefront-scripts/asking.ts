/** When the dialog opens by itself: once per product and visit, and no more after two refusals. */
import { recall, remember } from "./memory.ts";

/** Whether to open it now; it counts as opened. */
export function mayAsk(product: string): boolean {
  const may = !recall("asked")[product] && Object.keys(recall("declined")).length < 2;
  remember("asked", product, "1");
  return may;
}

export function noteDecline(product: string): void {
  remember("declined", product, "1");
}
