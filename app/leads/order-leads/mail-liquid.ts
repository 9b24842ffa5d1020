/**
 * Pure: the Liquid that a merchant puts into the shop's own e-mails. It shows the order's quotes from the order's
 * metafield, and nothing where there are none, so it can stay in every template.
 */
import type { Locale } from "#app/platform/locale.ts";

/** The platform's notifications that it is made for. */
export const mailKinds = ["order_confirmation", "shipping_confirmation", "reminder"] as const;
export type MailKind = (typeof mailKinds)[number];

interface MailTexts {
  heading: Record<MailKind, string>;
  from: string;
  month: string;
  until: string;
  dateFormat: string;
  see: string;
  stop: string;
}

const texts: Record<Locale, MailTexts> = {
  en: {
    heading: {
      order_confirmation: "You can still insure your purchase",
      shipping_confirmation: "On its way: would you like to insure your purchase?",
      reminder: "A reminder: you can still insure your purchase",
    },
    from: "from",
    month: "a month",
    until: "Valid until",
    dateFormat: "%d %B %Y",
    see: "See the offers, their conditions and subscribe",
    stop: "I want no more insurance quotes",
  },
  fr: {
    heading: {
      order_confirmation: "Vous pouvez encore assurer votre achat",
      shipping_confirmation: "Votre commande est en route : souhaitez-vous assurer vos achats ?",
      reminder: "Rappel : vous pouvez encore assurer votre achat",
    },
    from: "à partir de",
    month: "par mois",
    until: "Valable jusqu’au",
    dateFormat: "%d/%m/%Y",
    see: "Voir les offres, leurs conditions et souscrire",
    stop: "Je ne veux plus de devis d’assurance",
  },
};

/**
 * @param namespace of the app's own metafields as the shop knows it, `app--123456`: `$app` is for the app alone.
 * Notifications expose the order's properties by name, other Liquid as `order`; the template reads both.
 */
export function mailLiquid(kind: MailKind, locale: Locale, namespace: string): string {
  const t = texts[locale];
  return `{% assign insurance = metafields["${namespace}"].quotes.value %}
{% if insurance == nil %}{% assign insurance = order.metafields["${namespace}"].quotes.value %}{% endif %}
{% if insurance.quotes.size > 0 and insurance.isTest != true %}
<h3>${t.heading[kind]}</h3>
{% for quote in insurance.quotes %}
<p>
  <strong>{{ quote.product | escape }}</strong>, ${t.from} {{ quote.fromMinor | money }}{% if quote.monthly %} ${t.month}{% endif %}<br>
  <a href="{{ quote.url | escape }}">${t.see}</a><br>
  <small>${t.until} {{ quote.until | date: "${t.dateFormat}" }}</small>
</p>
{% endfor %}
<p><small><a href="{{ insurance.stopUrl | escape }}">${t.stop}</a></small></p>
{% endif %}
`;
}
