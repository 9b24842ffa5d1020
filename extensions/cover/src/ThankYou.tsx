/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/purchase.thank-you.block.render";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { partOf } from "../../parts.ts";
import type { Query } from "../../checkout-offer/src/storefront-api.ts";
import { readSettings } from "../../checkout-offer/src/data.ts";
import { type OfferEvent, publishOffer } from "../../offer-events.ts";
import { CoverList } from "./CoverList.tsx";
import { type OrderCover, readCover } from "./cover.ts";
import { InsureLink } from "./InsureLink.tsx";
import { insurableLines, insureLater, isPlan, piecesOf, planOf } from "./insure.ts";
import { fetchLowestPrice, type LowestPrice } from "./lowest-price.ts";
import { useNewerCover } from "./newer-cover.ts";

declare const shopify: Api;

export default function renderThankYou(): void {
  render(<ThankYou />, document.body);
}

const publish = (event: OfferEvent) => publishOffer(shopify, event, { touchpoint: "checkout" });

const query: Query = (text, options) => shopify.query(text, options);
const NO_PRICE: LowestPrice | null = null;

/**
 * The plans that were just ordered, and their contracts as soon as they exist. Shopify gives this page no metafield of
 * the order, so the app is asked, a few times, and does not say whether it is paid: a bank transfer comes days later,
 * and the contract after it. Until then the page says where to find the contract. A link lets the buyer insure other
 * items within the merchant's period. Without the link, the page says where a quote may appear, which depends on the
 * buyer's consent.
 */
function ThankYou() {
  const { i18n, lines, localization } = shopify;
  const plans = lines.value.filter(isPlan);
  const metafields = shopify.appMetafields.value;
  const settings = readSettings(
    metafields.find(({ target, metafield }) => target.type === "shop" && metafield.key === "checkout")
      ?.metafield.value,
  );
  const token = shopify.checkoutToken.value;
  const { cover: address } = settings;
  const look = address === null || token === undefined ? null : () => fetchCoverOfCheckout(address, token);
  const cover = useNewerCover(null, plans.length > 0, look);
  const insurable = insurableLines(lines.value, metafields, settings);
  const hasUninsured = piecesOf(insurable) > piecesOf(plans);
  const later = hasUninsured ? insureLater(settings, token, "checkout") : null;
  const isOffered = later !== null;
  useEffect(() => {
    if (isOffered) publish("viewed");
  }, [isOffered]);
  // Once any item is insured, only the page behind the link and the order's page know the uninsured ones.
  const named = plans.length === 0 && (isOffered || settings.quotes) ? insurable : [];
  const [from, setFrom] = useState(NO_PRICE);
  const [line] = isOffered ? named : [];
  const plan = line && planOf(line, metafields, settings);
  const country = localization.country.value?.isoCode ?? null;
  const language = localization.language.value.isoCode;
  useEffect(() => {
    if (line === undefined || plan === undefined) return;
    // Without an answer the link stands without a price.
    fetchLowestPrice(query, { line, plan, buyer: { country, language } }).then(setFrom, () => undefined);
  }, [line?.id, plan, country, language]);
  return (
    <>
      {cover !== null && (
        <s-section heading={i18n.translate("heading")}>
          <CoverList cover={cover} i18n={i18n} />
        </s-section>
      )}
      {cover === null && plans.length > 0 && (
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
      {(named.length > 0 || isOffered) && (
        <s-section heading={i18n.translate("quotes.heading")}>
          <s-stack gap="base">
            {named.map(({ id, merchandise }) => (
              <s-text key={id} type="strong">
                {merchandise.title}
              </s-text>
            ))}
            {later === null ? (
              <s-text>{i18n.translate("thank_you.quotes")}</s-text>
            ) : (
              <InsureLink later={later} from={from} i18n={i18n} onChoose={() => publish("chosen")} />
            )}
          </s-stack>
        </s-section>
      )}
    </>
  );
}

/** The cover of the checkout's order, as the app knows it; null: none yet. @throws Error if the app does not answer */
async function fetchCoverOfCheckout(address: string, token: string): Promise<OrderCover | null> {
  const response = await fetch(`${address}?checkout=${encodeURIComponent(token)}`);
  if (!response.ok) throw new Error(`The app answered ${response.status}`);
  return readCover(partOf(await response.json(), "cover"));
}
