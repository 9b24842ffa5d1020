import { useLocation } from "@remix-run/react";
import {
  Badge,
  BlockStack,
  Box,
  Button,
  ButtonGroup,
  Card,
  Checkbox,
  InlineStack,
  Text,
  FormLayout,
  TextField,
} from "@shopify/polaris";
import { useState, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { FetcherWithComponents } from "@remix-run/react";
import type { ConnectionView, Environment, ConnectionField } from "#app/merchants/connection.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { StackedKeyValueList } from "#app/ui/details.tsx";
import { useActionResult, useAction, useToast } from "#app/ui/use-action.ts";
import { type ConnectionActionResult, ConnectionMessage } from "#app/ui/insurer-problem.tsx";
import {
  connectionForm,
  connectionProblems,
  firstConnectionForm,
  accountAddressForm,
} from "#app/merchants/connection.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { useFields, useFocusInvalidField } from "#app/ui/use-fields.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { Permitted } from "#app/ui/permitted.tsx";

interface ConnectionCardProps {
  name: Environment;
  inUse: boolean;
  /** the shop uses the account as soon as the catalogue is synced */
  isNext: boolean;
  connection: ConnectionView | null;
  /** the merchant has connected no account yet and begins here */
  first: boolean;
  /** no call can tell a test token from a production one */
  asksForTestToken: boolean;
}

const tones = { accepted: "success", refused: "critical", unreachable: "warning" } as const;

/** One account: its status and actions, or the form that connects it. */
export function ConnectionCard({
  name,
  inUse,
  isNext,
  connection,
  first,
  asksForTestToken,
}: ConnectionCardProps) {
  const { t } = useTranslation("connection");
  const { key, search } = useLocation();
  const fetcher = useAction<ConnectionActionResult>();
  // Links target one of the two accounts (`?account=production`), also from this page.
  const isMeant = new URLSearchParams(search).get("account") === name;
  const [isOpen, setIsOpen] = useState(first || isMeant);
  const [shownFor, setShownFor] = useState(key);
  if (key !== shownFor) {
    setShownFor(key);
    if (isMeant) setIsOpen(true);
  }
  const environment = t(`environment.${name}`).toLowerCase();

  useActionResult(fetcher.data, (result) => {
    if (result.state === "success" && result.value === "connected") setIsOpen(false);
  });

  return (
    <Card>
      <section id={name} aria-label={t(`environment.${name}`)}>
        <BlockStack gap="400">
          <BlockStack gap="100">
            <InlineStack gap="200" blockAlign="center">
              <Text as="h2" variant="headingMd">
                {t(`environment.${name}`)}
              </Text>
              <Badge tone={connection ? tones[connection.state] : undefined}>
                {t(`state.${connection?.state ?? "none"}`)}
              </Badge>
              {inUse && connection && <Badge tone="info">{t("inUse")}</Badge>}
              {isNext && <Badge tone="attention">{t("isNext")}</Badge>}
            </InlineStack>
            <Text as="p" tone="subdued">
              {t(`about.${name}`)}
            </Text>
          </BlockStack>
          {fetcher.data && fetcher.state === "idle" && (
            <ConnectionMessage
              result={fetcher.data}
              environment={environment}
              next={
                name === "production" && !inUse
                  ? { content: t("goLive"), url: "/app/go-live" }
                  : { content: t("result.next"), url: "/app/products" }
              }
            />
          )}
          {connection && !isOpen && <Summary connection={connection} />}
          {isOpen ? (
            <ConnectionForm
              name={name}
              connection={connection}
              asksForTestToken={asksForTestToken}
              hasFocus={first || connection !== null}
              fetcher={fetcher}
              {...(first ? {} : { onCancel: () => setIsOpen(false) })}
            />
          ) : (
            <AccountActions
              name={name}
              inUse={inUse}
              isNext={isNext}
              connection={connection}
              fetcher={fetcher}
              onOpen={() => setIsOpen(true)}
            />
          )}
        </BlockStack>
      </section>
    </Card>
  );
}

function Summary({ connection }: { connection: ConnectionView }) {
  const { t } = useTranslation("connection");
  const { format } = useShop();
  const { storeId, tokenSetAt, organisationTokenSetAt, checkedAt } = connection;
  return (
    <StackedKeyValueList
      items={[
        [t("label.storeId"), storeId],
        [t("label.token"), t("summary.set", { date: format.date(tokenSetAt) })],
        [
          t("summary.organisationToken"),
          organisationTokenSetAt === null
            ? t("summary.noOrganisationToken")
            : t("summary.set", { date: format.date(organisationTokenSetAt) }),
        ],
        [t("summary.checked"), format.dateTime(checkedAt)],
      ]}
    />
  );
}

interface ActionsProps extends Pick<ConnectionCardProps, "name" | "inUse" | "isNext" | "connection"> {
  fetcher: ReturnType<typeof useAction<ConnectionActionResult>>;
  /** shows the form */
  onOpen: () => void;
}

/** The buttons of an account while its form is closed, and their confirmations. */
function AccountActions({ name, inUse, isNext, connection, fetcher, onOpen }: ActionsProps) {
  const { t } = useTranslation("connection");
  const [asking, setAsking] = useState<"use" | "remove_organisation" | "disconnect" | null>(null);
  const environment = t(`environment.${name}`).toLowerCase();
  const run = (intent: string) => fetcher.submit({ intent, environment: name }, { method: "post" });
  const running = (intent: string) => fetcher.formData?.get("intent") === intent;
  if (connection === null) {
    return (
      <Box>
        <Permitted>
          <Button onClick={onOpen} ariaExpanded={false}>
            {t(`open.${name}`)}
          </Button>
        </Permitted>
      </Box>
    );
  }
  const isIdle = !inUse && !isNext;
  return (
    <>
      <Permitted>
        <ButtonGroup>
          {isIdle && name === "production" && (
            <Button variant="primary" url="/app/go-live">
              {t("goLive")}
            </Button>
          )}
          <Button onClick={() => run("check")} loading={running("check")}>
            {t("check")}
          </Button>
          <Button onClick={onOpen}>{t("change")}</Button>
          {isNext && (
            <Button onClick={() => run("stop")} loading={running("stop")}>
              {t("stop")}
            </Button>
          )}
        </ButtonGroup>
        <ButtonGroup>
          {isIdle && name === "test" && (
            <Button variant="plain" tone="critical" onClick={() => setAsking("use")} loading={running("use")}>
              {t("use")}
            </Button>
          )}
          {connection.organisationTokenSetAt && (
            <Button
              variant="plain"
              tone="critical"
              onClick={() => setAsking("remove_organisation")}
              loading={running("remove_organisation")}
            >
              {t("removeOrganisation")}
            </Button>
          )}
          <Button
            variant="plain"
            tone="critical"
            onClick={() => setAsking("disconnect")}
            loading={running("disconnect")}
          >
            {t("disconnect")}
          </Button>
        </ButtonGroup>
      </Permitted>
      <ConfirmModal
        open={asking === "use"}
        title={t("confirm.use.title", { environment })}
        body={t("confirm.use.body")}
        confirm={t("use")}
        destructive
        onConfirm={() => run("use")}
        onClose={() => setAsking(null)}
      />
      <ConfirmModal
        open={asking === "remove_organisation"}
        title={t("confirm.removeOrganisation.title", { environment })}
        body={t("confirm.removeOrganisation.body")}
        confirm={t("confirm.removeOrganisation.action")}
        destructive
        onConfirm={() => run("remove_organisation")}
        onClose={() => setAsking(null)}
      />
      <ConfirmModal
        open={asking === "disconnect"}
        title={t("confirm.disconnect.title", { environment })}
        body={t("confirm.disconnect.body")}
        confirm={t("disconnect")}
        destructive
        onConfirm={() => run("disconnect")}
        onClose={() => setAsking(null)}
      />
    </>
  );
}

interface ConnectionFormProps {
  name: Environment;
  connection: ConnectionView | null;
  asksForTestToken: boolean;
  /** the focus starts here */
  hasFocus: boolean;
  fetcher: FetcherWithComponents<ConnectionActionResult>;
  /** closes the form; undefined if the card has nothing else to show */
  onCancel?: () => void;
}

/** Store id and tokens of one account. Saved tokens never leave the server: after saving, the form is empty. */
function ConnectionForm({
  name,
  connection,
  asksForTestToken,
  hasFocus,
  fetcher,
  onCancel,
}: ConnectionFormProps) {
  const { t } = useTranslation(["connection", "common"]);
  const form = useRef<HTMLFormElement>(null);
  const { bind, onSubmit, refused } = useFields<ConnectionField, (typeof connectionProblems)[number]>({
    initial: { storeId: connection?.storeId ?? "", token: "", organisationToken: "" },
    validate: (values) => {
      const { error } = (connection ? connectionForm : firstConnectionForm).safeParse(values);
      return error ? fieldProblems(error, connectionProblems) : {};
    },
    result: fetcher.data,
    messageOf: (problem) => t(`problem.${problem}`),
  });
  useFocusInvalidField(form, refused);
  const field = (which: ConnectionField) => ({ ...bind(which), label: t(`label.${which}`) });

  const [isTestToken, setIsTestToken] = useState(false);
  const [otherStore, setOtherStore] = useState<string | null>(null);
  useActionResult(fetcher.data, (result) => {
    if (result.state === "refused" && result.reason === "other_store") setOtherStore(result.detail);
  });

  function connectAllTheSame() {
    if (!form.current) return;
    const entered = new FormData(form.current);
    entered.set("agreed", "yes");
    fetcher.submit(entered, { method: "post" });
  }

  return (
    <fetcher.Form ref={form} method="post" onSubmit={onSubmit} noValidate>
      <ConfirmModal
        open={otherStore !== null}
        title={t("confirm.otherStore.title", { store: otherStore })}
        body={t("confirm.otherStore.body", { store: otherStore })}
        confirm={t("confirm.otherStore.action")}
        destructive
        onConfirm={connectAllTheSame}
        onClose={() => setOtherStore(null)}
      />
      <input type="hidden" name="intent" value="connect" />
      <input type="hidden" name="environment" value={name} />
      <Permitted>
        <FormLayout>
          {/* Not the attribute autofocus: browsers refuse it inside the admin's frame and log an error. */}
          <TextField
            {...field("storeId")}
            helpText={t("help.storeId")}
            requiredIndicator
            {...(hasFocus ? { focused: true } : {})}
          />
          <TextField
            {...field("token")}
            type="password"
            requiredIndicator={!connection}
            helpText={
              connection
                ? t("help.keepsToken")
                : t("help.token", { environment: t(`environment.${name}`).toLowerCase() })
            }
          />
          <TextField
            {...field("organisationToken")}
            type="password"
            helpText={t(connection?.organisationTokenSetAt ? "help.keepsToken" : "help.organisationToken")}
          />
          {asksForTestToken && (
            <Checkbox
              label={t("testToken.label")}
              helpText={t("testToken.help")}
              name="testToken"
              value="yes"
              checked={isTestToken}
              onChange={setIsTestToken}
            />
          )}
          <ButtonGroup>
            <Button submit variant="primary" loading={fetcher.formData?.get("intent") === "connect"}>
              {connection ? t("saveChanges") : t("connect")}
            </Button>
            {onCancel && <Button onClick={onCancel}>{t("common:action.cancel")}</Button>}
          </ButtonGroup>
        </FormLayout>
      </Permitted>
    </fetcher.Form>
  );
}

export type AddressActionResult = ActionResult<"saved", never, "accountUrl", "not_https">;

/** The URL of the merchant's account at the insurer. Tasks and orders link to it. */
export function AccountAddressCard({ accountUrl }: { accountUrl: string | null }) {
  const { t } = useTranslation(["connection", "common"]);
  const toast = useToast();
  const fetcher = useAction<AddressActionResult>();
  const { bind, onSubmit } = useFields<"accountUrl", "not_https">({
    initial: { accountUrl: accountUrl ?? "" },
    validate: (values) => {
      const { error } = accountAddressForm.safeParse(values);
      return error ? fieldProblems(error, ["not_https"]) : {};
    },
    result: fetcher.data,
    messageOf: (problem) => t(`address.problem.${problem}`),
  });
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "success") toast(t("common:said.saved"));
  });
  return (
    <TitledCard title={t("address.title")}>
      <fetcher.Form method="post" onSubmit={onSubmit} noValidate>
        <input type="hidden" name="intent" value="account_address" />
        <Permitted>
          <TextField
            {...bind("accountUrl")}
            type="url"
            label={t("address.label")}
            helpText={t("address.help")}
            connectedRight={
              <Button submit loading={fetcher.state !== "idle"}>
                {t("common:action.save")}
              </Button>
            }
          />
        </Permitted>
      </fetcher.Form>
    </TitledCard>
  );
}
