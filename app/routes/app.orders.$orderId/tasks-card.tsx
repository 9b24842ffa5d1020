import { useTranslation } from "react-i18next";
import type { OrderView } from "#app/plans/orders/order-page.server.ts";
import { groupEqualTasks } from "#app/plans/tasks/tasks.ts";
import { TaskCard } from "#app/ui/task-card.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";

/** What needs a person about this order. */
export function TasksCard({ order: { tasks } }: { order: OrderView }) {
  const { t } = useTranslation("orders");
  if (tasks.length === 0) return null;
  return (
    <TitledList title={t("page.tasks")}>
      {groupEqualTasks(tasks).map((equal) => (
        <TaskCard key={equal[0].id} tasks={equal} onOrderPage />
      ))}
    </TitledList>
  );
}
