/** /app/selling: pauses and resumes the sale of insurance; the switch above every page posts to it. */
import { z } from "zod";
import { pageAction } from "#app/merchants/guard.server.ts";
import { changeSelling } from "#app/offers/apply-selling.server.ts";
import { parseForm } from "#app/platform/form.server.ts";
import { success } from "#app/ui/action-result.ts";

const change = z.object({ to: z.enum(["paused", "resumed"]) });

export const action = pageAction(async ({ request }, { shop, actor }) => {
  const { to } = await parseForm(request, change);
  await changeSelling(shop, to, actor);
  return success(to);
});

export { clientAction } from "#app/ui/client-action.ts";
