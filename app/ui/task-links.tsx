import { Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { TaskView } from "#app/plans/tasks/task-view.ts";
import { useDownload } from "./use-download.ts";

/** What leads on from a task to where it is done. */
export function TaskLinks({ task }: { task: TaskView }) {
  const { t } = useTranslation("tasks");
  const { downloading, download } = useDownload();
  switch (task.kind) {
    case "customer_data":
      return (
        <Button variant="primary" url={`/app/orders/${task.orderId ?? ""}#customer`}>
          {t("supply")}
        </Button>
      );
    case "connection":
      return (
        <Button variant="primary" url="/app/connection">
          {t("connect")}
        </Button>
      );
    case "customer_data_request":
      return task.details.orderIds.length + task.details.leadIds.length === 0 ? null : (
        <Button
          variant="primary"
          loading={downloading}
          onClick={() => void download(`/app/tasks/${task.id}/data`, "customer-data.json")}
        >
          {t("download")}
        </Button>
      );
    default:
      return null;
  }
}

/** Where the data that a customer asked for is shown. */
export function RequestedDataLinks({ orderIds, leadIds }: { orderIds: string[]; leadIds: string[] }) {
  const { t } = useTranslation("tasks");
  const pages = [...orderIds.map((id) => ["orders", id]), ...leadIds.map((id) => ["leads", id])];
  if (pages.length === 0) return <Text as="p">{t("noOrders")}</Text>;
  return (
    <InlineStack gap="200">
      {pages.map(([where = "", id = ""]) => (
        <Link key={`${where} ${id}`} url={`/app/${where}/${encodeURIComponent(id)}`}>
          {id}
        </Link>
      ))}
    </InlineStack>
  );
}
