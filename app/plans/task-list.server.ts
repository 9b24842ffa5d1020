/** Tasks as the admin lists them. */
import { db } from "#app/platform/db.server.ts";
import { toListPage } from "#app/platform/list-page.ts";
import type { ListPage, PageRequest } from "#app/platform/list-page.ts";
import type { Task } from "#app/platform/prisma/client.ts";

/** Open tasks, newest first. */
export async function listTasks(shop: string, request: PageRequest, size: number): Promise<ListPage<Task>> {
  const rows = await db.task.findMany({
    where: { shop, closedAt: null },
    orderBy: [{ openedAt: "desc" }, { id: "desc" }],
    take: size + 1,
  });
  return toListPage(rows, size, request, ({ id }) => id);
}
