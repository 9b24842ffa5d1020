/** @jsxImportSource preact */
import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";

/** The link to the page where the buyer insures uninsured items. */
export function InsureLink({ href, i18n }: { href: string; i18n: Pick<Api["i18n"], "translate"> }) {
  return (
    <s-link href={href} target="_blank">
      {i18n.translate("quotes.insure")}
    </s-link>
  );
}
