/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/purchase.checkout.cart-line-item.render-after";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { numberOf } from "../../parts.ts";
import { type OfferEvent, publishOffer } from "../../offer-events.ts";
import { refusalOf } from "../../sale-rule.ts";
import type { Offer } from "../../catalogue.ts";
import { planItem } from "../../storefront-scripts/plan-item.ts";
import { readSettings } from "./data.ts";
import { offerFor, priceBeforeDiscounts } from "./offer.ts";
import type { LineOffer } from "./offer.ts";
import { Declined, OfferForm } from "./OfferForm.tsx";
import { fetchOffers, fetchPlanProducts, offersAtTheirPrice } from "./storefront-api.ts";
import type { Buyer, LineCatalogue, PlanProduct, Query } from "./storefront-api.ts";
import { offerTexts } from "./texts.ts";

declare const shopify: Api;

export default function renderCheckoutOffer(): void {
  render(<CheckoutOffer />, document.body);
}

const metafield = (type: "shop" | "product", key: string, id?: string): unknown =>
  shopify.appMetafields.value.find(
    (entry) =>
      entry.target.type === type &&
      entry.metafield.key === key &&
      (id === undefined || numberOf(entry.target.id) === numberOf(id)),
  )?.metafield.value;

const query: Query = (text, options) => shopify.query(text, options);
const NO_PRODUCTS: ReadonlyMap<string, PlanProduct> = new Map();

/**
 * The insurance for one product of the checkout. If data is missing, refused or unreachable, it offers nothing and the
 * checkout continues.
 */
function CheckoutOffer() {
  const { i18n, localization } = shopify;
  const line = shopify.target.value;
  const settings = readSettings(metafield("shop", "checkout"));
  const category = metafield("product", "insurance_category", line.merchandise.product.id);
  const plan = settings.on && typeof category === "string" ? settings.plans[category] : undefined;
  const variant = line.merchandise.id;
  const country = localization.country.value?.isoCode ?? null;
  const language = localization.language.value.isoCode;
  const [onSale, setOnSale] = useState<LineCatalogue | null>(null);
  const [products, setProducts] = useState(NO_PRODUCTS);
  const [state, setState] = useState<"offered" | "adding" | "added" | "failed">("offered");
  const [isDeclined, setDeclined] = useState(false);
  const declinedKey = `declined-${numberOf(variant)}`;
  useEffect(
    () => whileCurrent(shopify.storage.read(declinedKey), (stored: unknown) => setDeclined(stored === true)),
    [declinedKey],
  );
  const publish = (event: OfferEvent, reference?: string) =>
    publishOffer(shopify, event, { touchpoint: "checkout", variant: numberOf(variant), reference });

  useEffect(() => {
    setOnSale(null);
    if (plan === undefined) return;
    return whileCurrent(fetchOffers(query, { plan, variant, buyer: { country, language } }), setOnSale);
  }, [plan, variant, country, language]);

  const fitting = (): LineOffer | null => {
    const now = shopify.target.value;
    // Shopify gives the buyer's data only to apps that are approved for customers' data.
    const isCompany =
      "buyerIdentity" in shopify && shopify.buyerIdentity?.purchasingCompany.value !== undefined;
    const address = "shippingAddress" in shopify ? shopify.shippingAddress?.value : undefined;
    const delivery = { country: address?.countryCode ?? country, postcode: address?.zip };
    if (refusalOf(settings, { delivery, isCompany }) !== null) return null;
    if (onSale === null || !shopify.instructions.value.lines.canAddCartLine) return null;
    const { catalogue, listPrice } = onSale;
    const price = priceBeforeDiscounts(now, listPrice);
    if (now.cost.totalAmount.currencyCode !== catalogue.currency || price === null) return null;
    return offerFor(now, shopify.lines.value, { bands: catalogue.bands, price, terms: settings.terms });
  };
  const currency = onSale?.catalogue.currency;
  const variants =
    fitting()
      ?.offers.map((offer) => offer.variant)
      .join() ?? "";

  useEffect(() => {
    setProducts(NO_PRODUCTS);
    if (variants === "" || currency === undefined) return;
    const buyer: Buyer = { country, language };
    const asked = fetchPlanProducts(query, { variants: variants.split(","), currency, buyer });
    return whileCurrent(asked, setProducts);
  }, [variants, currency, country, language]);

  const offered = (): LineOffer | null => {
    const fits = fitting();
    const offers = offersAtTheirPrice(fits?.offers ?? [], products);
    return fits === null || offers.length === 0 ? null : { ...fits, offers };
  };

  const found = offered();
  const isShown = found !== null && !isDeclined;
  useEffect(() => {
    if (isShown) publish("viewed");
  }, [isShown, variant]);
  if (found === null)
    return state === "added" ? <s-banner tone="success">{i18n.translate("added")}</s-banner> : null;
  if (onSale === null) return null;
  const { catalogue } = onSale;
  const texts = offerTexts(settings, catalogue, language, (name, values) => i18n.translate(name, values));

  /** Adds the offer as shown now: another extension or window may have changed the cart. */
  async function add(offer: Offer): Promise<void> {
    if (state === "adding") return;
    const current = offered();
    if (current === null || !current.offers.some((each) => each.variant === offer.variant)) {
      setState("failed");
      return;
    }
    setState("adding");
    const consent = `${texts.consentVersion} ${new Date().toISOString()}`;
    const choice = { variant: numberOf(variant), offer, consent };
    const { quantity, properties } = planItem(choice, current.pair, current.pieces, "checkout");
    try {
      const result = await shopify.applyCartLinesChange({
        type: "addCartLine",
        merchandiseId: `gid://shopify/ProductVariant/${offer.variant}`,
        quantity,
        attributes: Object.entries(properties).map(([key, value]) => ({ key, value })),
        parent: { lineId: shopify.target.value.id },
      });
      setState(result.type === "success" ? "added" : "failed");
      if (result.type === "success") publish("added", offer.reference);
    } catch {
      // Shopify does not answer: the buyer sees a message and can still pay.
      setState("failed");
    }
  }

  function decline(): void {
    setDeclined(true);
    publish("declined");
    remember(true);
  }

  /** Without storage the no is remembered until the page is loaded again. */
  function remember(answer: boolean): void {
    shopify.storage.write(declinedKey, answer).catch(() => undefined);
  }

  if (isDeclined)
    return (
      <Declined
        headline={texts.headline}
        i18n={i18n}
        onChange={() => {
          setDeclined(false);
          remember(false);
        }}
      />
    );
  return (
    <OfferForm
      offered={found}
      catalogue={catalogue}
      product={products.get(found.offers[0]?.variant ?? "")}
      texts={texts}
      state={state === "added" ? "offered" : state}
      i18n={i18n}
      onChoose={({ reference }) => publish("chosen", reference)}
      onAdd={add}
      onDecline={decline}
    />
  );
}

/** Passes on an answer unless a newer request has replaced it. @returns the cleanup of an effect */
function whileCurrent<T>(asked: Promise<T>, use: (answer: T) => void): () => void {
  let isCurrent = true;
  asked.then(
    (answer) => isCurrent && use(answer),
    // On a failed request the checkout continues without an offer.
    () => undefined,
  );
  return () => {
    isCurrent = false;
  };
}
