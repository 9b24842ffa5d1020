/** What the page of a month shows: the totals of a closed month as they were stored, all else as it is now. */
import type { Merchant } from "#app/merchants/merchant.ts";
import { readClosedMonth } from "./close-month.server.ts";
import { type DifferenceGroup, groupDifferences } from "./difference.ts";
import type { OwnPointsOfSale, PointOfSale } from "./point-of-sale.ts";
import { readMonth } from "./read-month.server.ts";
import { settle, type SettlementTotals } from "./settlement.ts";

export interface SettlementView {
  totals: SettlementTotals;
  groups: DifferenceGroup[];
  differences: number;
  /** all of the organisation's points of sale */
  stores: PointOfSale[];
  /** the one that is looked at; null: this shop */
  otherStoreId: string | null;
  /** those that are this shop; null: the merchant has to say it */
  own: OwnPointsOfSale;
  proposedStoreId: string | null;
  hasOrganisation: boolean;
  importedAt: Date | null;
  closedAt: Date | null;
}

/** Those of a kind that the page shows; its file has all. */
const SHOWN_OF_A_KIND = 20;

export async function readSettlement(
  merchant: Merchant,
  request: { month: string; storeId: string | null },
  now = new Date(),
): Promise<SettlementView> {
  const { facts, stores, own, proposedStoreId, hasOrganisation, importedAt } = await readMonth(
    merchant,
    request,
    now,
  );
  const closed = facts.isOwnStore ? await readClosedMonth(merchant, request.month) : null;
  const { differences, totals } = settle(facts);
  return {
    totals: closed?.totals ?? totals,
    groups: groupDifferences(differences, SHOWN_OF_A_KIND),
    differences: differences.length,
    stores,
    otherStoreId: facts.isOwnStore ? null : (facts.storeIds[0] ?? null),
    own,
    proposedStoreId,
    hasOrganisation,
    importedAt,
    closedAt: closed?.closedAt ?? null,
  };
}
