/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/admin.order-details.block.render";
import { render } from "preact";
import { OrderQuotes } from "./OrderQuotes.tsx";

declare const shopify: Api;

export default function renderOrderBlock(): void {
  render(<OrderBlock />, document.body);
}

function OrderBlock() {
  return (
    <s-admin-block heading={shopify.i18n.translate("name")}>
      <OrderQuotes api={shopify} />
    </s-admin-block>
  );
}
