import { useTranslation } from "react-i18next";
import type { AuditEntryView } from "#app/audit/audit-entries.server.ts";
import type { AuditValues } from "#app/audit/changes.ts";
import type { MerchantSettings } from "#app/merchants/settings.ts";
import { useShop } from "#app/ui/shop.tsx";

type Texts = Partial<Record<string, string>>;
/** A setting without a name here fails the types: it would be named by its key. */
type SettingNames = Record<
  | keyof MerchantSettings
  | keyof MerchantSettings["sale"]
  | keyof MerchantSettings["bookkeeping"]
  | keyof MerchantSettings["reports"],
  string
>;

/** The changed fields of an entry: "Days to withdraw: 14 → 30"; new values and facts without the arrow. */
export function useAuditChanges(): (entry: Pick<AuditEntryView, "before" | "after" | "action">) => string[] {
  const { t } = useTranslation([
    "audit",
    "catalogue",
    "common",
    "history",
    "settings",
    "tasks",
    "touchpoints",
  ]);
  const { format, currency } = useShop();
  const words: Texts & SettingNames = t("audit:field", { returnObjects: true });
  const languages: Texts = t("audit:value.language", { returnObjects: true });
  const nameOf = (path: string) =>
    path
      .split(".")
      .map((part) => words[part] ?? languages[part] ?? part)
      .join(" › ")
      // A nested field is named with its parent: "Rule 1".
      .replaceAll(/ › (?=\d+(?: |$))/g, " ");
  /** Values that the app has texts for. Others are the merchant's own texts, ids or figures. */
  const codes: Record<string, Texts> = {
    environment: t("common:environment", { returnObjects: true }),
    reason: t("catalogue:run.reason", { returnObjects: true }),
    outcome: t("tasks:outcome", { returnObjects: true }),
    fulfilsPlans: t("settings:orders.fulfilsPlansChoice", { returnObjects: true }),
    connectionManagers: t("settings:orders.connectionManagersChoice", { returnObjects: true }),
    status: t("audit:value.productStatus", { returnObjects: true }),
    language: languages,
    format: t("touchpoints:format", { returnObjects: true }),
  };
  const taskKinds = Object.fromEntries(
    Object.entries(t("tasks:kind", { returnObjects: true })).map(([kind, { title }]): [string, string] => [
      kind,
      title,
    ]),
  );
  /** `kind` is the kind of a run or of a task. */
  const kinds: Partial<Record<AuditEntryView["action"], Texts>> = {
    run_started: t("catalogue:run.kind", { returnObjects: true }),
    task_closed: taskKinds,
    task_reopened: taskKinds,
  };
  const say = (
    action: AuditEntryView["action"],
    path: string,
    value: AuditValues[string] | undefined,
    paidIn: string,
  ) => {
    if (typeof value === "boolean") return t(`audit:value.${value}`);
    if (isNothing(value)) return t("audit:nothing");
    const field = path.split(".").at(-1) ?? path;
    if (typeof value === "number")
      return field.endsWith("Minor") ? format.money(value, paidIn) : format.number(value);
    if (moments.has(field)) return format.dateTime(value);
    const texts = action === "customer_data_saved" ? { entered: t("audit:value.entered") } : codes[field];
    return (field === "kind" ? kinds[action] : texts)?.[value] ?? value;
  };
  return ({ action, before, after }) => {
    // A refund is in the currency in which the customer paid.
    const paidIn = action === "premium_refunded" ? String(after?.["currency"]) : currency;
    const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
    return fields
      .filter((path) => !isLeftOut(path, (after ?? before)?.[path]))
      .map((path) => {
        const entered = enteredTokens.find((token) => token === path);
        if (entered) return t(`audit:${entered}`);
        return isNothing(before?.[path]) || after === null
          ? t("audit:fact", {
              field: nameOf(path),
              value: say(action, path, (after ?? before)?.[path], paidIn),
            })
          : t("audit:change", {
              field: nameOf(path),
              before: say(action, path, before?.[path], paidIn),
              after: say(action, path, after[path], paidIn),
            });
      });
  };
}

function isNothing(value: AuditValues[string] | undefined): value is null | undefined | "" {
  return value === null || value === undefined || value === "";
}

/** Internal ids, which the page hides; the currency is beside its amount. */
const internal = new Set(["lineId", "currency"]);

/** Tokens are never recorded, only that one was entered. */
const enteredTokens = ["newToken", "newOrganisationToken"] as const;

function isLeftOut(path: string, value: AuditValues[string] | undefined): boolean {
  if (enteredTokens.some((token) => token === path)) return value !== true;
  // Most orders have one contract of a plan.
  return internal.has(path) || (path === "itemNumber" && value === 1);
}

/** Fields that hold an ISO 8601 timestamp. */
const moments = new Set(["from", "until", "eraseAt"]);
