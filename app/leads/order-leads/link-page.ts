/** Pure: the small pages behind a quote's link that are ours; the quote's own is the insurer's. */
import { customerDocument } from "#app/platform/customer-page.ts";
import type { Locale } from "#app/platform/locale.ts";

const texts = {
  en: {
    gone: [
      "This quote is no longer valid",
      "It has expired, was used, or the order has changed. Contact the shop if you would like insurance.",
    ],
    stop: [
      "No more insurance quotes?",
      "You will get no more insurance quotes from this shop, and those that you have are revoked. Your orders and contracts do not change.",
    ],
    confirm: "I want no more quotes",
    stopped: ["It is noted", "You will get no more insurance quotes from this shop."],
  },
  fr: {
    gone: [
      "Ce devis n’est plus valable",
      "Il a expiré, a déjà servi, ou la commande a changé. Contactez la boutique si vous souhaitez une assurance.",
    ],
    stop: [
      "Ne plus recevoir de devis d’assurance ?",
      "Vous ne recevrez plus de devis d’assurance de cette boutique, et ceux que vous avez sont retirés. Vos commandes et vos contrats ne changent pas.",
    ],
    confirm: "Je ne veux plus de devis",
    stopped: ["C’est noté", "Vous ne recevrez plus de devis d’assurance de cette boutique."],
  },
} as const satisfies Record<Locale, Record<string, unknown>>;

export type LinkPage = "gone" | "stop" | "stopped";

/** No text of anybody else's is in it. */
export function linkPage(which: LinkPage, locale: Locale): string {
  const [title, body] = texts[locale][which];
  const form = which === "stop" ? `<form method="post"><button>${texts[locale].confirm}</button></form>` : "";
  return customerDocument(locale, title, `<p>${body}</p>${form}`);
}
