import { Button, ButtonGroup, FormLayout, List, Text, TextField } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { addressForm } from "#app/leads/order-leads/settings-form.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { useShop } from "#app/ui/shop.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useActionResult } from "#app/ui/use-action-result.ts";
import { useFields } from "#app/ui/use-fields.ts";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { useToast } from "#app/ui/use-toast.ts";
import { useAction } from "#app/ui/use-action.ts";

export type AutomaticActionResult = ActionResult<
  "saved" | "suppressed" | "allowed",
  "unknown" | "changed_elsewhere",
  "email",
  "email"
>;

/** Who wants no quotes: noted here or by the customers themselves; the list has dates alone, because nothing else is kept. */
export function SuppressionsCard({ suppressions }: { suppressions: { total: number; latest: Date[] } }) {
  const { t } = useTranslation("automaticLeads");
  const { format } = useShop();
  const toast = useToast();
  const showError = useErrorBanner();
  const fetcher = useAction<AutomaticActionResult>();
  const fields = useFields<"email", "email">({
    initial: { email: "" },
    validate: (values) => {
      const { error } = addressForm.safeParse(values);
      return error ? fieldProblems(error, ["email"]) : {};
    },
    result: fetcher.data,
    messageOf: () => t("suppressions.problem"),
  });
  useActionResult(fetcher.data, (result) => {
    if (result.state === "refused") showError(t("suppressions.unknown"));
    if (result.state !== "success" || result.value === "saved") return;
    toast(t(`suppressions.${result.value}`));
    fields.set("email", "");
  });
  const { total, latest } = suppressions;
  return (
    <TitledCard title={t("suppressions.title")} help={t("suppressions.help")}>
      <fetcher.Form method="post" onSubmit={fields.onSubmit}>
        <input type="hidden" name="intent" value="suppress" />
        <FormLayout>
          <TextField label={t("suppressions.email")} type="email" {...fields.bind("email")} />
          <ButtonGroup>
            <Button submit loading={fetcher.state !== "idle"}>
              {t("suppressions.add")}
            </Button>
            <Button
              onClick={() =>
                fetcher.submit({ intent: "allow", email: fields.values.email }, { method: "post" })
              }
            >
              {t("suppressions.remove")}
            </Button>
          </ButtonGroup>
        </FormLayout>
      </fetcher.Form>
      <Text as="p">{total === 0 ? t("suppressions.none") : t("suppressions.total", { count: total })}</Text>
      {latest.length > 0 && (
        <List>
          {latest.map((since, index) => (
            <List.Item key={index}>{format.dateTime(since)}</List.Item>
          ))}
        </List>
      )}
    </TitledCard>
  );
}
