/** The mail with a draft order's link: what staff see of it, and what it is named after. */
import { type DraftMail, findDraftMail } from "#app/outbox/outbox.server.ts";
import { dataKeyOf, digest } from "#app/merchants/data-key.server.ts";
import type { Merchant } from "#app/merchants/merchant.ts";
import { masked } from "#app/platform/customer-page.ts";
import { emailAddress } from "#app/platform/email-address.ts";
import { type Language, languageNames, languages, readLanguage } from "#app/platform/locale.ts";
import { mailIsOn } from "#app/platform/mail.server.ts";
import type { DraftOrder } from "#app/shopify/draft-order.ts";

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
  emailAddress().nullable().catch(null).parse(email);

/** One mail a day to one address: it is named after the link, which changes by the day, and the address. */
export const mailId = ({ id }: DraftOrder, until: string, addressDigest: string) =>
  `sale:${id}:${until}:${addressDigest.slice(0, 16)}`;
