/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/admin.order-details.action.render";
import { render } from "preact";
import { OrderQuotes } from "./OrderQuotes.tsx";

declare const shopify: Api;

export default function renderOrderAction(): void {
  render(<OrderAction />, document.body);
}

function OrderAction() {
  return (
    <s-admin-action heading={shopify.i18n.translate("name")}>
      <OrderQuotes api={shopify} />
      <s-button slot="secondary-actions" onClick={() => shopify.close()}>
        {shopify.i18n.translate("close")}
      </s-button>
    </s-admin-action>
  );
}
