import { BlockStack, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { TaskView } from "#app/plans/tasks/tasks.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";

export function OpenTasks({ tasks, count }: { tasks: TaskView[]; count: number }) {
  const { t } = useTranslation(["home", "tasks"]);
  const { format } = useShop();
  return (
    <TitledCard title={t("tasks.title")}>
      {tasks.map((task) => (
        <InlineStack key={task.id} align="space-between" gap="200">
          <BlockStack>
            <Text as="span" fontWeight="medium">
              {t(`tasks:kind.${task.kind}.title`)}
            </Text>
            {task.orderName !== null && task.orderId !== null && (
              <Link url={`/app/orders/${task.orderId}`}>{t("tasks.order", { name: task.orderName })}</Link>
            )}
          </BlockStack>
          <Text as="span" tone="subdued">
            {format.dateTime(task.openedAt)}
          </Text>
        </InlineStack>
      ))}
      <Link url="/app/tasks">{t("tasks.all", { count })}</Link>
    </TitledCard>
  );
}
