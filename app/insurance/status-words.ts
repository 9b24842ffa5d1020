/**
 * What the status of a plan says. The specification names `active` and `cancelled` and shows no others: words that
 * certainly say no are known here, and of any other one the merchant says once for the account what it means.
 */
import { z } from "zod";

export const meanings = ["in_force", "not_in_force"] as const;
export type Meaning = (typeof meanings)[number];

/** A merchant's answers for one account, by word as `wordOf` writes it. */
export const statusWords = z.record(z.string(), z.enum(meanings));
export type StatusWords = z.infer<typeof statusWords>;

/** `listed`: the insurer lists the contract, by a word that the merchant has not explained. */
export type PlanStanding = "active" | "cancelled" | "not_in_force" | "listed";

const CANCELLED = [
  "cancelled",
  "canceled",
  "terminated",
  "void",
  "voided",
  "annulled",
  "revoked",
  "withdrawn",
  "annule",
  "resilie",
];
const NOT_IN_FORCE = [
  "refused",
  "rejected",
  "declined",
  "denied",
  "expired",
  "failed",
  "error",
  "invalid",
  "inactive",
  "suspended",
  "lapsed",
  "draft",
  "unpaid",
  "incomplete",
  "on_hold",
  "in_review",
  "under_review",
  "cancellation_requested",
  "refuse",
  "expire",
];
/** Whatever else the word says: it is to come, or to be paid. */
const IS_PENDING =
  /(?:^|_)(?:pending|awaiting|waiting|unsigned|not)(?:_|$)|payment_(?:due|required|failed)|^en_attente/;
const MAX_WORD = 100;

/** The word as it is compared: without case, accents and separators. */
export const wordOf = (status: string): string =>
  status
    .trim()
    .slice(0, MAX_WORD)
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s.-]+/g, "_");

/** @param words the merchant's answers for the account */
export function planStanding(status: string, words: StatusWords = {}): PlanStanding {
  const word = wordOf(status);
  if (word === "active") return "active";
  if (CANCELLED.includes(word)) return "cancelled";
  const meaning = words[word];
  if (meaning !== undefined) return meaning === "in_force" ? "active" : "not_in_force";
  return word === "" || NOT_IN_FORCE.includes(word) || IS_PENDING.test(word) ? "not_in_force" : "listed";
}
