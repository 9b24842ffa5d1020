import { BlockStack, Card, Icon, InlineStack, Link, Text } from "@shopify/polaris";
import { AlertTriangleIcon, CheckCircleIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import type { CatalogueSetup } from "#app/catalogue/setup.server.ts";
import type { JobHealth } from "#app/jobs/health.server.ts";
import type { ConnectionView, Environment } from "#app/merchants/connection.ts";
import { useShop } from "#app/ui/shop.tsx";

interface Props {
  inUse: Environment;
  connection: ConnectionView | null;
  catalogue: CatalogueSetup;
  plans: { openTasks: number };
  jobs: JobHealth;
}

interface Line {
  good: boolean;
  text: string;
  link?: { url: string; text: string };
}

/** Is everything all right? Bad news first. */
export function Health(props: Props) {
  const { t } = useTranslation("home");
  const lines = useLines(props).sort((a, b) => Number(a.good) - Number(b.good));
  const fine = lines.every(({ good }) => good);
  return (
    <Card>
      <BlockStack gap="300">
        <Text as="h2" variant="headingMd">
          {fine ? t("health.fine") : t("health.attention")}
        </Text>
        {lines.map(({ good, text, link }) => (
          <InlineStack key={text} gap="200" wrap={false} blockAlign="start">
            <span>
              <Icon source={good ? CheckCircleIcon : AlertTriangleIcon} tone={good ? "success" : "caution"} />
            </span>
            <Text as="p">
              {text} {link && !good && <Link url={link.url}>{link.text}</Link>}
            </Text>
          </InlineStack>
        ))}
      </BlockStack>
    </Card>
  );
}

function useLines({ inUse, connection, catalogue, plans, jobs }: Props): Line[] {
  const { t } = useTranslation(["home", "common"]);
  const { format } = useShop();
  const service = connection?.state ?? "none";
  const lines: Line[] = [
    {
      good: service === "accepted",
      text: t(`health.service.${service}`, { environment: t(`common:environment.${inUse}`) }),
      link: { url: "/app/connection", text: t("health.see.connection") },
    },
  ];
  const { lastSync, lastSyncAt } = catalogue;
  if (lastSync !== null && lastSyncAt !== null) {
    const how =
      lastSync === "done" || lastSync === "failed" || lastSync === "cancelled" ? lastSync : "running";
    lines.push({
      good: how === "done" || how === "running",
      text: t(`health.sync.${how}`, { date: format.dateTime(lastSyncAt) }),
      link: { url: "/app/catalogue", text: t("health.see.catalogue") },
    });
  }
  if (plans.openTasks > 0) {
    const link = { url: "/app/tasks", text: t("health.see.tasks") };
    lines.push({ good: false, text: t("health.tasks", { count: plans.openTasks }), link });
  }
  const link = { url: "/app/activity", text: t("health.see.activity") };
  if (jobs.failing > 0) lines.push({ good: false, text: t("health.failing", { count: jobs.failing }), link });
  if (jobs.late > 0) lines.push({ good: false, text: t("health.late", { count: jobs.late }), link });
  return lines;
}
