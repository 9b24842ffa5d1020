import { useFetcher } from "@remix-run/react";
import { Badge, BlockStack, Button, ButtonGroup, Card, InlineStack, Text } from "@shopify/polaris";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConnectionView, Environment } from "#app/merchants/connection.ts";
import { ConfirmModal } from "#app/ui/confirm-modal.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { ConnectionForm } from "./connection-form.tsx";
import type { ConnectionActionResult } from "#app/ui/connection-message.tsx";
import { ConnectionMessage } from "#app/ui/connection-message.tsx";

interface Props {
  name: Environment;
  inUse: boolean;
  /** the shop uses it as soon as it has its catalogue */
  isNext: boolean;
  connection: ConnectionView | null;
  /** nothing is connected yet and this is where to begin */
  first: boolean;
}

const tones = { accepted: "success", refused: "critical", unreachable: "warning" } as const;

/** One account: its state, its form, and what can be done with it. */
export function ConnectionCard({ name, inUse, isNext, connection, first }: Props) {
  const { t } = useTranslation("connection");
  const { format } = useShop();
  const fetcher = useFetcher<ConnectionActionResult>();
  const [asking, setAsking] = useState<"use" | "remove_organisation" | "disconnect" | null>(null);
  const environment = t(`environment.${name}`).toLowerCase();
  const run = (intent: string) => fetcher.submit({ intent, environment: name }, { method: "post" });
  const formKey = [connection?.tokenSetAt, connection?.organisationTokenSetAt]
    .map((at) => at?.getTime())
    .join();
  const running = (intent: string) => fetcher.formData?.get("intent") === intent;

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
          <ConnectionForm key={formKey} name={name} connection={connection} first={first} fetcher={fetcher} />
          {connection && (
            <BlockStack gap="200">
              <Text as="p" tone="subdued">
                {t("checked", { date: format.dateTime(connection.checkedAt) })}
              </Text>
              <ButtonGroup>
                <Button onClick={() => run("check")} loading={running("check")}>
                  {t("check")}
                </Button>
                {isNext && (
                  <Button onClick={() => run("stop")} loading={running("stop")}>
                    {t("stop")}
                  </Button>
                )}
                {!inUse && !isNext && name === "test" && (
                  <Button onClick={() => setAsking("use")} loading={running("use")}>
                    {t("use")}
                  </Button>
                )}
                {!inUse && !isNext && name === "production" && (
                  <Button variant="primary" url="/app/go-live">
                    {t("goLive")}
                  </Button>
                )}
                {connection.organisationTokenSetAt && (
                  <Button
                    onClick={() => setAsking("remove_organisation")}
                    loading={running("remove_organisation")}
                  >
                    {t("removeOrganisation")}
                  </Button>
                )}
                <Button
                  tone="critical"
                  onClick={() => setAsking("disconnect")}
                  loading={running("disconnect")}
                >
                  {t("disconnect")}
                </Button>
              </ButtonGroup>
            </BlockStack>
          )}
        </BlockStack>
      </section>
      <ConfirmModal
        open={asking === "use"}
        title={t("confirm.use.title", { environment })}
        body={t("confirm.use.body")}
        confirm={t("use")}
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
    </Card>
  );
}
