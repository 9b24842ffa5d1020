import type { CloseResult } from "#app/settlement/close-month.server.ts";
import type { ActionResult } from "#app/ui/action-result.ts";

export type SettlementResult = ActionResult<null, Exclude<CloseResult, "closed"> | "unknown_store">;
