/** Which entries of the audit log a list shows, as it stands in the list's address. */
import { z } from "zod";
import { isIsoDay } from "#app/insurance/dates.ts";
import { isAuditAction } from "./actions.ts";
import type { AuditAction, auditFilterNames } from "./actions.ts";

const day = z.string().refine(isIsoDay).nullable().catch(null);

/** What is malformed filters nothing. */
export const auditFilter = z.object({
  action: z.custom<AuditAction>(isAuditAction).nullable().catch(null),
  /** a staff member's id, or `system` */
  actor: z
    .string()
    .regex(/^(\d{1,20}|system)$/)
    .nullable()
    .catch(null),
  /** first and last day in the shop's time zone, both included */
  start: day,
  end: day,
} satisfies Record<(typeof auditFilterNames)[number], z.ZodType>);
export type AuditFilter = z.infer<typeof auditFilter>;
