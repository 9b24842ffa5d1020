import { Box, Card, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { TaskView } from "#app/plans/task-view.ts";
import { TaskCard } from "#app/ui/task-card.tsx";

/** What needs a person about this order. */
export function TasksCard({ tasks }: { tasks: TaskView[] }) {
  const { t } = useTranslation("orders");
  if (tasks.length === 0) return null;
  return (
    <Card padding="0">
      <Box padding="400" paddingBlockEnd="0">
        <Text as="h2" variant="headingMd">
          {t("page.tasks")}
        </Text>
      </Box>
      {tasks.map((task) => (
        <TaskCard key={task.id} task={task} onOrderPage />
      ))}
    </Card>
  );
}
