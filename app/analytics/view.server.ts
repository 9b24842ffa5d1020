/**
 * The organisation's data for its pages: whether one exists, and how fresh its figures are. A page with figures older
 * than a day starts an import.
 */
import type { Actor } from "#app/audit/actor.ts";
import { recordAudit } from "#app/audit/record.server.ts";
import { isAbandoned, lastImports, organisationOf, requestImport } from "./import.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";

const DAY_MS = 24 * 3_600_000;

export interface ImportStatus {
  /** rows imported so far by the active import; null: none is active */
  rowsSoFar: number | null;
  /** when the last import succeeded */
  succeededAt: Date | null;
  /** if that import was partial: the first day that it read, and the time of the last read before that day */
  earlier: { before: string; readAt: Date } | null;
  /** why the last import failed: `refused` or the reason; null if it did not fail */
  problem: string | null;
}

export type OrganisationView =
  { state: "no_token" } | { state: "ready"; organisation: string; importStatus: ImportStatus };

export async function readOrganisationView(merchant: Merchant): Promise<OrganisationView> {
  const { shop, environment } = merchant;
  const organisation = await organisationOf(shop, environment);
  if (!organisation) return { state: "no_token" };
  const { last, lastDone, lastWhole } = await lastImports(shop, organisation.id);
  const stale =
    last === null || (last.active ? isAbandoned(last) : Date.now() - last.createdAt.getTime() > DAY_MS);
  if (stale) await requestImport(shop, environment, organisation.id, "daily");
  return {
    state: "ready",
    organisation: organisation.id,
    importStatus: {
      rowsSoFar: stale ? 0 : last.active ? last.rows : null,
      succeededAt: lastDone?.finishedAt ?? null,
      earlier:
        lastDone?.since && lastWhole?.finishedAt
          ? { before: lastDone.since, readAt: lastWhole.finishedAt }
          : null,
      problem: last?.state === "failed" && !stale ? last.error : null,
    },
  };
}

/** The merchant requests new figures now. */
export async function refreshOrganisation(merchant: Merchant, actor: Actor): Promise<void> {
  const { shop, environment } = merchant;
  const organisation = await organisationOf(shop, environment);
  if (!organisation) return;
  await recordAudit({ shop, actor, action: "figures_refreshed" });
  await requestImport(shop, environment, organisation.id, "whole");
}
