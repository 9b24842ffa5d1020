/** @jsxImportSource preact */
import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";

interface Props {
  href: string;
  i18n: Pick<Api["i18n"], "translate">;
  onChoose: () => void;
}

/** The link to the page where the buyer insures uninsured items. */
export function InsureLink({ href, i18n, onChoose }: Props) {
  return (
    <s-link href={href} target="_blank" onClick={onChoose}>
      {i18n.translate("quotes.insure")}
    </s-link>
  );
}
