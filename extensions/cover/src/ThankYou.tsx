/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/purchase.thank-you.block.render";
import { render } from "preact";
import { useEffect } from "preact/hooks";
import { readSettings } from "../../checkout-offer/src/data.ts";
import { type OfferEvent, publishOffer } from "../../offer-events.ts";
import { InsureLink } from "./InsureLink.tsx";
import { insurableLines, insureLink, isPlan, piecesOf } from "./insure.ts";

declare const shopify: Api;

export default function renderThankYou(): void {
  render(<ThankYou />, document.body);
}

const publish = (event: OfferEvent) => publishOffer(shopify, event, { touchpoint: "checkout" });

/**
 * The plans that were just ordered. Shopify gives this page no metafield of the order and does not say whether it is
 * paid: a bank transfer comes days later, and the contract after it. So the page says where to find the contract. A link lets the buyer insure other items within the merchant's
 * period. Without the link, the page says where a quote may appear, which depends on the buyer's consent.
 */
function ThankYou() {
  const { i18n, lines } = shopify;
  const plans = lines.value.filter(isPlan);
  const metafields = shopify.appMetafields.value;
  const settings = readSettings(
    metafields.find(({ target, metafield }) => target.type === "shop" && metafield.key === "checkout")
      ?.metafield.value,
  );
  const insurable = insurableLines(lines.value, metafields, settings);
  const hasUninsured = piecesOf(insurable) > piecesOf(plans);
  const insure = hasUninsured ? insureLink(settings, shopify.checkoutToken.value, "checkout") : null;
  useEffect(() => {
    if (insure !== null) publish("viewed");
  }, [insure !== null]);
  // Once any item is insured, only the page behind the link and the order's page know the uninsured ones.
  const named = plans.length === 0 && (insure !== null || settings.quotes) ? insurable : [];
  return (
    <>
      {plans.length > 0 && (
        <s-section heading={i18n.translate("heading")}>
          <s-stack gap="base">
            {plans.map(({ id, merchandise, quantity }) => (
              <s-text key={id} type="strong">
                {quantity > 1 ? `${quantity} × ${merchandise.title}` : merchandise.title}
              </s-text>
            ))}
            <s-text>{i18n.translate("thank_you.hint")}</s-text>
          </s-stack>
        </s-section>
      )}
      {(named.length > 0 || insure !== null) && (
        <s-section heading={i18n.translate("quotes.heading")}>
          <s-stack gap="base">
            {named.map(({ id, merchandise }) => (
              <s-text key={id} type="strong">
                {merchandise.title}
              </s-text>
            ))}
            {insure === null ? (
              <s-text>{i18n.translate("thank_you.quotes")}</s-text>
            ) : (
              <InsureLink href={insure} i18n={i18n} onChoose={() => publish("chosen")} />
            )}
          </s-stack>
        </s-section>
      )}
    </>
  );
}
