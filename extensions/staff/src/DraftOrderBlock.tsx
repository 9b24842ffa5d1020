/** @jsxImportSource preact */
import "@shopify/ui-extensions/preact";
import type { Api } from "@shopify/ui-extensions/admin.draft-order-details.block.render";
import { render } from "preact";
import { DraftSale } from "./DraftSale.tsx";

declare const shopify: Api;

export default function renderDraftOrderBlock(): void {
  render(<DraftOrderBlock />, document.body);
}

function DraftOrderBlock() {
  return (
    <s-admin-block heading={shopify.i18n.translate("name")}>
      <DraftSale api={shopify} />
    </s-admin-block>
  );
}
