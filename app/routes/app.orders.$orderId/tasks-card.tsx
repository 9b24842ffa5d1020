import { useTranslation } from "react-i18next";
import type { TaskView } from "#app/plans/tasks/task-view.ts";
import { TaskCard } from "#app/ui/task-card.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";

/** What needs a person about this order. */
export function TasksCard({ tasks }: { tasks: TaskView[] }) {
  const { t } = useTranslation("orders");
  if (tasks.length === 0) return null;
  return (
    <TitledList title={t("page.tasks")}>
      {tasks.map((task) => (
        <TaskCard key={task.id} task={task} onOrderPage />
      ))}
    </TitledList>
  );
}
