/** The rows of a month's files: the bordereau has one for each contract and movement, the journal two for each of them. */
import type { BookkeepingAccount } from "#app/merchants/settings.ts";
import type { MovementKind } from "#app/orders/book/movements.ts";
import { COMMISSION_CURRENCY } from "./insurer-figures.ts";
import type { CountedCommission, Movement } from "./settlement-facts.ts";

/** A commission by its type: paid, or taken back if negative. */
type BordereauKind = MovementKind | "front" | "air";

export interface BordereauRow {
  day: string;
  /** the day of a correction; null: it was known in time */
  foundOn: string | null;
  kind: BordereauKind;
  contractId: string | null;
  order: string | null;
  referenceId: string | null;
  title: string | null;
  amountMinor: number;
  currency: string;
}

/** @param month corrections happened before it */
export function bordereauRows(
  month: string,
  movements: readonly Movement[],
  counted: readonly CountedCommission[],
): BordereauRow[] {
  const foundOn = (happenedOn: string, knownOn: string) => (happenedOn.startsWith(month) ? null : knownOn);
  const rows = [
    ...movements.map((movement): BordereauRow => ({
      day: movement.happenedOn,
      foundOn: foundOn(movement.happenedOn, movement.knownOn),
      kind: movement.kind,
      contractId: movement.contractId,
      order: movement.orderName,
      referenceId: movement.referenceId,
      title: movement.title,
      amountMinor: movement.amountMinor,
      currency: movement.currency,
    })),
    ...counted.map(({ commission, amountMinor, foundOn: knownOn }): BordereauRow => ({
      day: commission.date,
      foundOn: foundOn(commission.date, knownOn),
      kind: commission.type,
      contractId: commission.saleId,
      order: null,
      referenceId: null,
      title: null,
      amountMinor,
      currency: COMMISSION_CURRENCY,
    })),
  ];
  return rows.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
}

export interface JournalRow {
  day: string;
  account: BookkeepingAccount;
  kind: BordereauKind;
  contractId: string | null;
  order: string | null;
  /** minor units; one of the two is null */
  debitMinor: number | null;
  creditMinor: number | null;
  currency: string;
}

/** The accounts that a positive amount of each kind is booked on: debit, then credit. */
const bookings: Record<BordereauKind, [debit: BookkeepingAccount, credit: BookkeepingAccount]> = {
  premium: ["payments", "premiums"],
  // A discount is negative: what the shop bears.
  discount: ["payments", "discounts"],
  refund: ["payments", "premiums"],
  contract: ["premiums", "insurer"],
  contract_end: ["premiums", "insurer"],
  front: ["insurer", "commissions"],
  air: ["insurer", "commissions"],
};

/** Two rows for each row of the bordereau. A correction is booked on the day on which it was found. */
export const journalRows = (rows: readonly BordereauRow[]): JournalRow[] =>
  rows
    .flatMap(({ day, foundOn, kind, contractId, order, amountMinor, currency }): JournalRow[] => {
      const [positive, negative] = bookings[kind];
      const [debit, credit] = amountMinor < 0 ? [negative, positive] : [positive, negative];
      const minor = Math.abs(amountMinor);
      const parts = { day: foundOn ?? day, kind, contractId, order, currency };
      return [
        { ...parts, account: debit, debitMinor: minor, creditMinor: null },
        { ...parts, account: credit, debitMinor: null, creditMinor: minor },
      ];
    })
    .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
