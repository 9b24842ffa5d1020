import { Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { TaskView } from "#app/plans/tasks/tasks.ts";
import { useAccount } from "./account-notice.tsx";
import { useDownload } from "./use-download.ts";

/** What a person has to do before the task's contract can be issued; null: nothing. */
export function stepBeforeIssuing({ kind, details, missingDetails }: TaskView): "details" | "product" | null {
  if (kind !== "check_plan") return null;
  if (missingDetails.length > 0) return "details";
  return details.finding === "no_insured_line" ? "product" : null;
}

/** Whether the task's first button is a link of these. */
export function hasPrimaryLink(task: TaskView): boolean {
  const kinds: TaskView["kind"][] = [
    "customer_data",
    "connection",
    "withdrawal",
    "mail_refused",
    "customer_data_request",
  ];
  return kinds.includes(task.kind) || stepBeforeIssuing(task) !== null;
}

/** The merchant's account at the service, for what Parasol cannot do there. Nothing where its address is not known. */
function AccountLink() {
  const { t } = useTranslation();
  const url = useAccount()?.url ?? null;
  return (
    url !== null && (
      <Button url={url} external>
        {t("serviceAccount")}
      </Button>
    )
  );
}

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
    case "check_plan": {
      const step = stepBeforeIssuing(task);
      if (step === null) return null;
      const place = step === "details" ? "customer" : "contracts";
      return (
        <Button variant="primary" url={`/app/orders/${task.orderId ?? ""}#${place}`}>
          {t(step === "details" ? "supply" : "chooseProduct")}
        </Button>
      );
    }
    case "withdrawal":
      return (
        <>
          <Button variant="primary" url={refundPage(task)} target="_top">
            {t("refund")}
          </Button>
          <Button
            loading={downloading}
            onClick={() => void download(`/app/tasks/${task.id}/acknowledgement`, "withdrawal.txt")}
          >
            {t("acknowledgement")}
          </Button>
        </>
      );
    case "mail_refused":
      return (
        <Button
          variant="primary"
          loading={downloading}
          onClick={() => void download(`/app/tasks/${task.id}/acknowledgement`, "withdrawal.txt")}
        >
          {t("acknowledgement")}
        </Button>
      );
    case "manual_cancellation":
    case "surplus_contract":
    case "contract_missing":
    case "contract_not_active":
    case "too_many_units":
      return <AccountLink />;
    case "customer_erased":
    case "cancelled_elsewhere":
    case "premium_kept":
      return (
        <Button url={refundPage(task)} target="_top">
          {t("refund")}
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

const refundPage = ({ orderId }: TaskView) => `shopify://admin/orders/${orderId ?? ""}/refund`;

/** Where the data that a customer requested is shown. */
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
