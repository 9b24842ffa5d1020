/** @jsxImportSource preact */
import type { Api } from "@shopify/ui-extensions/purchase.checkout.cart-line-item.render-after";
import { useState } from "preact/hooks";
import { partOf, text } from "../../parts.ts";
import { cheapestOf, formulasOf, type Offer } from "../../catalogue.ts";
import type { CheckoutCatalogue } from "./data.ts";
import type { LineOffer } from "./offer.ts";
import type { PlanProduct } from "./storefront-api.ts";
import type { OfferTexts } from "./texts.ts";

interface Props {
  offered: LineOffer;
  catalogue: CheckoutCatalogue;
  /** the plan product of these offers, all of one price band */
  product: PlanProduct | undefined;
  texts: OfferTexts;
  state: "offered" | "adding" | "failed";
  i18n: Api["i18n"];
  onAdd: (offer: Offer) => Promise<void>;
}

/**
 * The plan product as the shop shows it, and its terms with none chosen. The law requires some content before a choice
 * counts: price, information document, general conditions, consent text and legal text.
 */
export function OfferForm({ offered, catalogue, product, texts, state, i18n, onAdd }: Props) {
  const { offers, pieces } = offered;
  const [chosen, setChosen] = useState<string | null>(null);
  const [formula, setFormula] = useState<string | null>(null);
  const { currency, documents } = catalogue;
  const money = (cents: number) => i18n.formatCurrency(cents / 100, { currency });
  const formulas = formulasOf(offers);
  const terms = formulas.length > 1 ? (formulas.find(([each]) => each?.formula === formula) ?? []) : offers;
  const offer = terms.find((each) => each.variant === chosen);
  const fromOf = (some: readonly Offer[]) => {
    const least = cheapestOf(some);
    return least && i18n.translate(`from.${least.billing}`, { price: money(least.price) });
  };
  const nameOf = (name = "") => texts.formulas[name] ?? name;
  return (
    <s-details>
      <s-summary>
        {texts.headline} · {fromOf(offers)}
      </s-summary>
      <s-stack gap="base">
        {product !== undefined && (
          <s-stack direction="inline" gap="base" alignItems="center">
            {product.image !== null && <s-product-thumbnail src={product.image} alt="" size="small" />}
            <s-text type="strong">{product.title}</s-text>
          </s-stack>
        )}
        {texts.cover.map((point) => (
          <s-text key={point}>✓ {point}</s-text>
        ))}
        {formulas.length > 1 && (
          <s-choice-list
            label={i18n.translate("formula")}
            name="parasol-formula"
            onChange={({ currentTarget }) => {
              setFormula(text(partOf(currentTarget, "values", "0")));
              setChosen(null);
            }}
          >
            {formulas.map((some) => (
              <s-choice key={some[0]?.formula} value={some[0]?.formula ?? ""}>
                {nameOf(some[0]?.formula)} · {fromOf(some)}
              </s-choice>
            ))}
          </s-choice-list>
        )}
        {terms.length > 0 && (
          <s-choice-list
            key={formula}
            label={pieces > 1 ? i18n.translate("pieces", { pieces }) : i18n.translate("choose")}
            name="parasol-term"
            onChange={({ currentTarget }) => setChosen(text(partOf(currentTarget, "values", "0")))}
          >
            {terms.map(({ term: months, price, billing, variant }) => (
              <s-choice key={variant} value={variant}>
                {i18n.translate("term", { count: months })} · {money(price * pieces)}{" "}
                {billing === "monthly"
                  ? `${i18n.translate("monthly")}, ${i18n.translate("total", { total: money(price * pieces * months) })}`
                  : i18n.translate("annually", { price: money(Math.round((price * pieces) / months)) })}
                {pieces > 1 && ` (${money(price)}\u00a0×\u00a0${pieces})`}
              </s-choice>
            ))}
          </s-choice-list>
        )}
        <s-stack gap="small-200">
          {texts.about.map((sentence) => (
            <s-text key={sentence}>{sentence}</s-text>
          ))}
          {texts.withdrawal && (
            <s-text>
              {texts.withdrawal.sentence}{" "}
              <s-link href={texts.withdrawal.page} target="_blank">
                {texts.withdrawal.label}
              </s-link>
            </s-text>
          )}
          <s-text>{texts.consent}</s-text>
          {documents.map((each) => (
            <s-stack key={each.name} direction="inline" gap="base">
              {each.name !== "" && <s-text type="strong">{nameOf(each.name)}</s-text>}
              <s-link href={each.ipid} target="_blank">
                {i18n.translate("ipid")}
              </s-link>
              <s-link href={each.cg} target="_blank">
                {i18n.translate("conditions")}
              </s-link>
            </s-stack>
          ))}
          {texts.legalLanguage !== null && <s-text color="subdued">{i18n.translate("legal")}</s-text>}
          {texts.legal !== "" && (
            <s-text color="subdued" {...(texts.legalLanguage === null ? {} : { lang: texts.legalLanguage })}>
              {texts.legal}
            </s-text>
          )}
        </s-stack>
        {state === "failed" && <s-banner tone="warning">{i18n.translate("failed")}</s-banner>}
        <s-button
          variant="secondary"
          disabled={offer === undefined || state === "adding"}
          loading={state === "adding"}
          onClick={() => offer && void onAdd(offer)}
        >
          {texts.button}
        </s-button>
      </s-stack>
    </s-details>
  );
}
