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
  onChoose: (offer: Offer) => void;
  onAdd: (offer: Offer) => Promise<void>;
  onDecline: () => void;
}

/**
 * One line until the buyer opens it: then the box of the product page, with no term chosen. The law requires some
 * content before a choice counts: price, information document, general conditions and consent text; insurer, rights and
 * legal text are one click away. Yes and no look the same.
 */
export function OfferForm(props: Props) {
  const { offered, catalogue, product, texts, state, i18n, onChoose, onAdd, onDecline } = props;
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
        {texts.insuredBy !== "" && <s-text color="subdued">{texts.insuredBy}</s-text>}
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
            onChange={({ currentTarget }) => {
              const variant = text(partOf(currentTarget, "values", "0"));
              setChosen(variant);
              const term = terms.find((each) => each.variant === variant);
              if (term) onChoose(term);
            }}
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
        <s-stack direction="inline" gap="small-200">
          <s-text color="subdued">{texts.law}</s-text>
          {documents.map((each) => (
            <s-stack key={each.name} direction="inline" gap="small-200">
              {each.name !== "" && <s-text color="subdued">{nameOf(each.name)}</s-text>}
              <s-link href={each.cg} target="_blank">
                {i18n.translate("conditions_short")}
              </s-link>
              <s-link href={each.ipid} target="_blank">
                IPID
              </s-link>
            </s-stack>
          ))}
        </s-stack>
        <s-text color="subdued">{texts.consent}</s-text>
        {state === "failed" && <s-banner tone="warning">{i18n.translate("failed")}</s-banner>}
        <s-stack direction="inline" gap="base">
          <s-button
            variant="secondary"
            disabled={offer === undefined || state === "adding"}
            loading={state === "adding"}
            onClick={() => offer && void onAdd(offer)}
          >
            {texts.button}
          </s-button>
          <s-button variant="secondary" disabled={state === "adding"} onClick={onDecline}>
            {i18n.translate("none")}
          </s-button>
        </s-stack>
        <More catalogue={catalogue} texts={texts} i18n={i18n} />
      </s-stack>
    </s-details>
  );
}

/** The documents by their names, the insurer, the buyer's rights, and the legal text. */
function More({ catalogue: { documents }, texts, i18n }: Pick<Props, "catalogue" | "texts" | "i18n">) {
  return (
    <s-details>
      <s-summary>{i18n.translate("more")}</s-summary>
      <s-stack gap="small-200">
        {documents.map((each) => (
          <s-stack key={each.name} direction="inline" gap="base">
            {each.name !== "" && <s-text type="strong">{texts.formulas[each.name] ?? each.name}</s-text>}
            <s-link href={each.ipid} target="_blank">
              {i18n.translate("ipid")}
            </s-link>
            <s-link href={each.cg} target="_blank">
              {i18n.translate("conditions")}
            </s-link>
          </s-stack>
        ))}
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
        {texts.legalLanguage !== null && <s-text color="subdued">{i18n.translate("legal")}</s-text>}
        {texts.legal !== "" && (
          <s-text color="subdued" {...(texts.legalLanguage === null ? {} : { lang: texts.legalLanguage })}>
            {texts.legal}
          </s-text>
        )}
      </s-stack>
    </s-details>
  );
}

/** After a no, which the checkout remembers: it is stated without a price, and may be taken back. */
export function Declined({
  headline,
  i18n,
  onChange,
}: { headline: string; onChange: () => void } & Pick<Props, "i18n">) {
  return (
    <s-stack direction="inline" gap="base" alignItems="center">
      <s-text color="subdued">
        {headline} · {i18n.translate("none")}
      </s-text>
      <s-button variant="secondary" onClick={onChange}>
        {i18n.translate("change")}
      </s-button>
    </s-stack>
  );
}
