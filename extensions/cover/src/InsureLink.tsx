/** @jsxImportSource preact */
import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";
import type { InsureLater } from "./insure.ts";
import type { LowestPrice } from "./lowest-price.ts";

interface Props {
  later: InsureLater;
  /** null or missing: not known */
  from?: LowestPrice | null;
  i18n: Pick<Api["i18n"], "translate" | "formatCurrency">;
  onChoose: () => void;
}

/** The lowest price, how long it is open, and the link to the page where the buyer insures uninsured items. */
export function InsureLink({ later: { href, days }, from, i18n, onChoose }: Props) {
  const remaining = i18n.translate("quotes.days", { count: days });
  return (
    <s-stack gap="small-200">
      <s-text>
        {from
          ? `${i18n.translate(from.isMonthly ? "quotes.from_monthly" : "quotes.from", {
              price: i18n.formatCurrency(from.price / 100, { currency: from.currency }),
            })} · ${remaining}`
          : remaining}
      </s-text>
      <s-link href={href} target="_blank" onClick={onChoose}>
        {i18n.translate("quotes.insure")}
      </s-link>
    </s-stack>
  );
}
