import { useEffect, useState } from "react";
import type { RulesPreview } from "#app/catalogue/product-categories/rules.server.ts";
import type { Rule } from "#app/catalogue/product-categories/rules.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import type { ServiceProblemState } from "#app/ui/service-problem.tsx";
import { useAction } from "#app/ui/use-action.ts";

/** What the page's action answers: the run that was started, whether one stops, or what rules would do. */
export type RulesActionResult = ActionResult<
  { run: string } | { stopping: boolean } | { preview: RulesPreview },
  ServiceProblemState["state"] | "malformed" | "changed_elsewhere"
>;

/** What these rules would do, queried from the server once they rest for a moment; null while it is not known. */
export function useRulesPreview(rules: Rule[] | null): RulesPreview | null {
  const { submit, data, state } = useAction<RulesActionResult>();
  const [requested, setRequested] = useState<string | null>(null);
  const wanted = rules === null ? null : JSON.stringify(rules);
  useEffect(() => {
    if (wanted === null) return;
    const timer = setTimeout(() => {
      setRequested(wanted);
      submit({ intent: "preview", rules: wanted }, { method: "post" });
    }, 300);
    return () => clearTimeout(timer);
  }, [wanted, submit]);
  const isAnswered = wanted !== null && wanted === requested && state === "idle";
  return isAnswered && data?.state === "success" && "preview" in data.value ? data.value.preview : null;
}
