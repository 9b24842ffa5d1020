/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/purchase.thank-you.block.render";
import { render } from "preact";

declare const shopify: Api;

export default function renderThankYou(): void {
  render(<ThankYou />, document.body);
}

/**
 * The plans that were just paid for. The platform gives this page no metafield of the order, and the contract comes
 * into being after it was shown: it says where the contract will stand.
 */
function ThankYou() {
  const plans = shopify.lines.value.filter(({ attributes }) =>
    attributes.some(({ key }) => key === "_parasol_reference"),
  );
  if (plans.length === 0) return null;
  return (
    <s-section heading={shopify.i18n.translate("heading")}>
      <s-stack gap="base">
        {plans.map(({ id, merchandise, quantity }) => (
          <s-stack key={id} direction="inline" gap="small-200" alignItems="center">
            <s-text type="strong">
              {quantity > 1 ? `${quantity} × ${merchandise.title}` : merchandise.title}
            </s-text>
            <s-badge tone="neutral">{shopify.i18n.translate("state.waiting")}</s-badge>
          </s-stack>
        ))}
        <s-text>{shopify.i18n.translate("thank_you.hint")}</s-text>
      </s-stack>
    </s-section>
  );
}
