/** @jsxImportSource preact */
import { minorDigits } from "../../currency-digits.ts";
import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";
import type { OfferEvent } from "../../offer-events.ts";
import { day } from "./CoverList.tsx";
import type { OrderQuotes, Quote } from "./quotes.ts";

type I18n = Api["i18n"];

interface Props {
  quotes: OrderQuotes;
  i18n: I18n;
  publish: (event: OfferEvent) => void;
}

/** The quotes for an order's uninsured items. */
export function QuoteList({ quotes, i18n, publish }: Props) {
  return (
    <s-stack gap="base">
      {quotes.isTest && <s-banner tone="warning">{i18n.translate("quotes.test")}</s-banner>}
      {quotes.quotes.map((quote, index) => (
        <s-stack key={quote.url} gap="small-200">
          {index > 0 && <s-divider />}
          <s-text type="strong">{quote.product}</s-text>
          <s-text>
            {i18n.translate(quote.monthly ? "quotes.from_monthly" : "quotes.from", {
              price: price(quote, i18n),
            })}
          </s-text>
          <s-text color="subdued">{i18n.translate("quotes.until", { date: day(quote.until, i18n) })}</s-text>
          <s-link href={quote.url} target="_blank" onClick={() => publish("chosen")}>
            {i18n.translate("quotes.see")}
          </s-link>
        </s-stack>
      ))}
      {quotes.stopUrl !== null && (
        <s-link href={quotes.stopUrl} target="_blank" onClick={() => publish("declined")}>
          {i18n.translate("quotes.stop")}
        </s-link>
      )}
    </s-stack>
  );
}

function price({ fromMinor, currency }: Quote, i18n: I18n): string {
  return i18n.formatCurrency(fromMinor / 10 ** minorDigits(currency), { currency });
}
