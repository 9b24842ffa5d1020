/** Connection: the merchant's accounts at the insurer, test and production side by side. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { BlockStack, InlineGrid, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { haveOneAddress } from "#app/merchants/accounts.server.ts";
import {
  checkConnection,
  listConnections,
  removeOrganisationToken,
  saveAccountAddress,
} from "#app/merchants/connection.server.ts";
import { connectStore, stopSwitch, switchAccount } from "#app/catalogue/connect-store.server.ts";
import {
  accountAddressForm,
  connectionForm,
  type ConnectionProblem,
  connectionProblems,
  type Environment,
  environment,
  environments,
  firstConnectionForm,
  otherStoreAgreed,
  testTokenConfirmed,
} from "#app/merchants/connection.ts";
import { disconnectAccount } from "#app/offers/apply-selling.server.ts";
import { readLegalState } from "#app/offers/legal-gaps.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import { useRevalidateWhile } from "#app/ui/use-action.ts";
import { SettingsPage } from "#app/ui/tabbed-page.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import type { ConnectionActionResult } from "#app/ui/insurer-problem.tsx";
import { AccountAddressCard, type AddressActionResult, ConnectionCard } from "./connection-card.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  const connections = await listConnections(shop);
  return {
    inUse: merchant.environment,
    next: merchant.nextEnvironment,
    connections,
    asksForTestToken: haveOneAddress(),
    accountUrl: merchant.accountUrl,
  };
}

const intents = z.discriminatedUnion("intent", [
  z.looseObject({
    intent: z.literal("connect"),
    environment,
    agreed: otherStoreAgreed,
    testToken: testTokenConfirmed,
  }),
  z.object({ intent: z.enum(["check", "use", "stop", "disconnect", "remove_organisation"]), environment }),
  z.looseObject({ intent: z.literal("account_address") }),
]);

export const action = pageAction(
  async ({ request }, { shop, merchant, actor }): Promise<ConnectionActionResult | AddressActionResult> => {
    const form = await parseForm(request, intents);
    const isConnected = async (environment: Environment) =>
      (await listConnections(shop)).some((each) => each.environment === environment);
    switch (form.intent) {
      case "connect": {
        const entered = (
          (await isConnected(form.environment)) ? connectionForm : firstConnectionForm
        ).safeParse(form);
        if (!entered.success) return invalid(fieldProblems(entered.error, connectionProblems));
        const isTokenNew = entered.data.token !== null;
        if (isTokenNew && form.environment === "test" && haveOneAddress() && !form.testToken)
          return refused("token_unconfirmed");
        const connection = { environment: form.environment, ...entered.data };
        const mayGoLive = (await readLegalState(merchant)).gaps.length === 0;
        const result = await connectStore(shop, connection, actor, { agreed: form.agreed, mayGoLive });
        if (result.state === "accepted") return success("connected");
        if (result.state === "token_needed")
          return invalid<"token", ConnectionProblem>({ token: "token_missing" });
        const { state } = result;
        return refused(refusalOf({ ...result, state }), "reason" in result ? result.reason : null);
      }
      case "check": {
        const result = await checkConnection(shop, form.environment);
        if (result === null) return refused("not_connected");
        if (result.state !== "accepted")
          return refused(result.state === "refused" ? "refusedNow" : refusalOf(result), result.reason);
        return success("accepted");
      }
      case "use": {
        if (!(await isConnected(form.environment))) return refused("not_connected");
        if (form.environment === "production" && (await readLegalState(merchant)).gaps.length > 0)
          return refused("legal_gaps");
        const { state } = await switchAccount(shop, form.environment, actor);
        return state === "not_connected" ? refused(state) : success(state);
      }
      case "stop": {
        const { state } = await stopSwitch(shop, form.environment, actor);
        return state === "already_live" ? refused(state) : success(state);
      }
      case "disconnect":
        await disconnectAccount(shop, form.environment, actor);
        return success("disconnected");
      case "remove_organisation":
        await removeOrganisationToken(shop, form.environment, actor);
        return success("removed");
      case "account_address": {
        const entered = accountAddressForm.safeParse(form);
        if (!entered.success) return invalid(fieldProblems(entered.error, ["not_https"]));
        await saveAccountAddress(shop, entered.data.accountUrl, actor);
        return success("saved");
      }
    }
  },
);

/** A response that cannot be used is another message than none. */
const refusalOf = <State extends string>(result: {
  state: State;
  hasResponded?: boolean;
}): State | "unusable" => (result.hasResponded === true ? "unusable" : result.state);

export default function Connection() {
  const { inUse, next, connections, asksForTestToken, accountUrl } = useLoaderData<typeof loader>();
  const { t } = useTranslation("connection");
  useRevalidateWhile(next !== null);
  return (
    <SettingsPage subtitle={t("subtitle")}>
      <InlineGrid columns={{ xs: 1, lg: 2 }} gap="400" alignItems="start">
        {environments.map((name) => (
          <ConnectionCard
            key={name}
            name={name}
            inUse={inUse === name}
            isNext={next === name}
            asksForTestToken={asksForTestToken && name === "test"}
            first={connections.length === 0 && inUse === name}
            connection={connections.find((connection) => connection.environment === name) ?? null}
          />
        ))}
      </InlineGrid>
      {connections.length > 0 && (
        <>
          <AccountAddressCard accountUrl={accountUrl} />
          <TitledCard title={t("leaving.title")}>
            <BlockStack gap="200">
              <Text as="p">{t("leaving.contracts")}</Text>
              <Text as="p">{t("leaving.products")}</Text>
              <Text as="p">{t("leaving.data")}</Text>
            </BlockStack>
          </TitledCard>
        </>
      )}
    </SettingsPage>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
