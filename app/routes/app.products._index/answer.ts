import type { RulesPreview } from "#app/catalogue/product-categories/rules.server.ts";
import type { Problem } from "#app/ui/service-problem.tsx";

/** What the page's action answers. */
export type Answer =
  | { done: "read"; result: { state: "answered"; value: string } | Problem }
  | { done: "cancel"; stopping: boolean }
  | { done: "preview"; preview: RulesPreview }
  | { done: "save"; run: string }
  | { done: "preview" | "save"; malformed: true };
