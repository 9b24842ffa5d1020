/** @jsxImportSource preact */
import type { Api } from "@shopify/ui-extensions/customer-account.page.render";
import { claimStates } from "../../claim-states.ts";
import type { AccountClaim, AccountContract, AccountOrder } from "./account.ts";
import { day, moment } from "./CoverList.tsx";

type I18n = Api["i18n"];

const tones: Partial<Record<string, "neutral" | "auto" | "critical">> = {
  pending: "neutral",
  approved: "auto",
  refused: "critical",
};

/** The claims on an order's contracts, and how to report a new one. */
export function ClaimList({ order, i18n }: { order: AccountOrder; i18n: I18n }) {
  const claimed = order.contracts.filter(({ claims }) => claims.length > 0);
  return (
    <s-stack gap="base">
      {claimed.map((contract) => (
        <ClaimsOfContract key={contract.contract} contract={contract} i18n={i18n} />
      ))}
      {order.contracts.length > 0 && (
        <s-stack gap="small-200">
          <s-text>{i18n.translate("claim.todo")}</s-text>
          {order.insurerPage !== null && (
            <s-link href={order.insurerPage} target="_blank">
              {i18n.translate("claim.insurer")}
            </s-link>
          )}
        </s-stack>
      )}
    </s-stack>
  );
}

function ClaimsOfContract({ contract, i18n }: { contract: AccountContract; i18n: I18n }) {
  return (
    <s-stack gap="small-200">
      <s-divider />
      <s-text type="strong">{i18n.translate("claim.heading", { number: contract.contract })}</s-text>
      {contract.claims.map((claim) => (
        <s-stack key={claim.id} gap="small-200">
          <s-stack direction="inline" gap="small-200" alignItems="center">
            <s-text>{named("type", claim.type, i18n)}</s-text>
            <s-badge tone={tones[claim.approval] ?? "neutral"}>
              {named("approval", claim.approval, i18n)}
            </s-badge>
          </s-stack>
          <s-text color="subdued">{datesOf(claim, i18n)}</s-text>
          {claim.closedOn === null && <s-text>{named("status", claim.status, i18n)}</s-text>}
        </s-stack>
      ))}
      {!contract.isCurrent && (
        <s-text color="subdued">
          {i18n.translate("claim.as_of", { moment: moment(contract.asOf, i18n) })}
        </s-text>
      )}
    </s-stack>
  );
}

const datesOf = ({ id, filedOn, closedOn }: AccountClaim, i18n: I18n) =>
  closedOn === null
    ? i18n.translate("claim.filed", { id, filed: day(filedOn, i18n) })
    : i18n.translate("claim.closed", { id, filed: day(filedOn, i18n), closed: day(closedOn, i18n) });

function named(list: keyof typeof claimStates, word: string, i18n: I18n): string {
  const known = claimStates[list].find((each) => each === word);
  return known ? i18n.translate(`claim.${list}.${known}`) : word.replaceAll("_", " ");
}
