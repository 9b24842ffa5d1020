/** The link by which a draft order's customer chooses and confirms, and what staff see of the mail with it. */
import { z } from "zod";
import { type DraftMail, findDraftMail } from "#app/outbox/outbox.server.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { masked } from "#app/platform/customer-page.ts";
import { env } from "#app/platform/env.server.ts";
import { type Language, languageNames, languages, readLanguage } from "#app/platform/locale.ts";
import { mailIsOn } from "#app/platform/mail.server.ts";
import { signPart, takeSignedLink } from "#app/platform/signed-link.server.ts";
import type { DraftOrder } from "#app/shopify/draft-order.ts";

/** The days in which a customer can use their link, the day on which it was made not counted. */
const LINK_DAYS = 7;

/**
 * A link that anybody who has it can use, until its day is over. Staff get a new one on each day on which they look; older
 * ones stay valid until their own day, because a look must not break the link that the customer already has.
 */
export function draftLink(shop: string, draftOrderId: string): { link: string; until: string } {
  const until = new Date(Date.now() + LINK_DAYS * 86_400_000).toISOString().slice(0, 10);
  const part = signPart("draft order links", shop, `${draftOrderId}-${until.replaceAll("-", "")}`);
  return { link: `${env.SHOPIFY_APP_URL}/sales/${shop}/${part}`, until };
}

export interface DraftLink {
  shop: string;
  draftOrderId: string;
  /** YYYY-MM-DD, the last day */
  until: string;
  isExpired: boolean;
}

/**
 * The draft order of a link's address. Null: its signature is not valid.
 * @throws TooManyRequests
 */
export async function readDraftLink(params: { shop?: string; link?: string }): Promise<DraftLink | null> {
  const taken = await takeSignedLink("draft order links", params);
  const [, draftOrderId, year, month, day] = /^(\d+)-(\d{4})(\d{2})(\d{2})$/.exec(taken?.id ?? "") ?? [];
  if (!taken || draftOrderId === undefined) return null;
  const until = `${year ?? ""}-${month ?? ""}-${day ?? ""}`;
  const isExpired = new Date().toISOString().slice(0, 10) > until;
  return { shop: taken.shop, draftOrderId, until, isExpired };
}

/** The mail with the link, and the last one that was sent. */
export interface DraftMailView {
  /** why none can be sent; null: one can */
  problem: "off" | "no_address" | "sent_today" | null;
  /** masked; empty: no address */
  to: string;
  language: Language;
  languages: { code: Language; name: string }[];
  last: Pick<DraftMail, "state" | "sentAt"> | null;
}

export async function readDraftMail(
  { shop, locale }: Merchant,
  draft: DraftOrder,
  until: string,
): Promise<DraftMailView> {
  const to = addressOf(draft);
  const last = await findDraftMail(shop, draft.id);
  const isToday = to !== null && last?.id === mailId(draft, until, digest(await dataKeyOf(shop), to));
  return {
    problem: !mailIsOn ? "off" : to === null ? "no_address" : isToday ? "sent_today" : null,
    to: masked(to ?? ""),
    language: readLanguage(locale) ?? "en",
    languages: languages.map((code) => ({ code, name: languageNames[code] })),
    last: last && { state: last.state, sentAt: last.sentAt },
  };
}

export const addressOf = ({ email }: DraftOrder): string | null =>
  z.email().nullable().catch(null).parse(email);

/** One mail a day to one address: it is named after the link, which changes by the day, and the address. */
export const mailId = ({ id }: DraftOrder, until: string, addressDigest: string) =>
  `sale:${id}:${until}:${addressDigest.slice(0, 16)}`;
