/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/admin.draft-order-details.action.render";
import { render } from "preact";
import { DraftSale } from "./DraftSale.tsx";

declare const shopify: Api;

export default function renderDraftOrderAction(): void {
  render(<DraftOrderAction />, document.body);
}

function DraftOrderAction() {
  return (
    <s-admin-action heading={shopify.i18n.translate("name")}>
      <DraftSale api={shopify} />
      <s-button slot="secondary-actions" onClick={() => shopify.close()}>
        {shopify.i18n.translate("close")}
      </s-button>
    </s-admin-action>
  );
}
