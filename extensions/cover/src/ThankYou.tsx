/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/purchase.thank-you.block.render";
import { render } from "preact";
import { numberOf } from "../../parts.ts";
import { readSettings } from "../../checkout-offer/src/data.ts";

declare const shopify: Api;

export default function renderThankYou(): void {
  render(<ThankYou />, document.body);
}

const metafields = (type: "shop" | "product", key: string) =>
  shopify.appMetafields.value.filter(
    ({ target, metafield }) => target.type === type && metafield.key === key,
  );

/**
 * The plans that were just paid for. The platform gives this page no metafield of the order, and the contract is
 * created after it was shown: it says where the contract will be. There is no quote yet, either: whether one will come
 * depends on the buyer's consent, which the app reads later, so the page says only where it would be.
 */
function ThankYou() {
  const { i18n, lines } = shopify;
  const isPlan = ({ attributes }: (typeof lines.value)[number]) =>
    attributes.some(({ key }) => key === "_parasol_reference");
  const plans = lines.value.filter(isPlan);
  const settings = readSettings(metafields("shop", "checkout")[0]?.metafield.value);
  const isInsurable = ({ merchandise }: (typeof lines.value)[number]) =>
    metafields("product", "insurance_category").some(
      ({ target, metafield }) =>
        numberOf(target.id) === numberOf(merchandise.product.id) && metafield.value in settings.plans,
    );
  const products = lines.value.filter((line) => !isPlan(line));
  // Nothing is said as soon as anything is insured: only the order's page knows which item is not.
  const quoted = settings.quotes && plans.length === 0 ? products.filter(isInsurable) : [];
  return (
    <>
      {plans.length > 0 && (
        <s-section heading={i18n.translate("heading")}>
          <s-stack gap="base">
            {plans.map(({ id, merchandise, quantity }) => (
              <s-stack key={id} direction="inline" gap="small-200" alignItems="center">
                <s-text type="strong">
                  {quantity > 1 ? `${quantity} × ${merchandise.title}` : merchandise.title}
                </s-text>
                <s-badge tone="neutral">{i18n.translate("state.waiting")}</s-badge>
              </s-stack>
            ))}
            <s-text>{i18n.translate("thank_you.hint")}</s-text>
          </s-stack>
        </s-section>
      )}
      {quoted.length > 0 && (
        <s-section heading={i18n.translate("quotes.heading")}>
          <s-stack gap="base">
            {quoted.map(({ id, merchandise }) => (
              <s-text key={id} type="strong">
                {merchandise.title}
              </s-text>
            ))}
            <s-text>{i18n.translate("thank_you.quotes")}</s-text>
          </s-stack>
        </s-section>
      )}
    </>
  );
}
