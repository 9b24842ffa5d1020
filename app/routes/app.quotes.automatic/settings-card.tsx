import {
  Banner,
  Checkbox,
  FormLayout,
  Select,
  Button,
  ButtonGroup,
  List,
  Text,
  TextField,
} from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { insureDaysChoices, quoteDelays } from "#app/merchants/quote-settings.ts";
import { ChangedElsewhere, FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { LearnMore } from "#app/ui/details.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useActionResult, useAction, useToast } from "#app/ui/use-action.ts";
import { useDraft } from "#app/ui/use-draft.ts";
import { addressForm } from "#app/quotes/of-orders/quote-settings-form.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { useShop } from "#app/ui/shop.tsx";
import { useFields } from "#app/ui/use-fields.ts";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { Permitted } from "#app/ui/permitted.tsx";

interface Choice {
  isOn: boolean;
  delayHours: number;
  insureDays: number;
}

/** Whether paid orders get quotes, when, and how long customers can request one. */
export function SettingsCard({ saved, version }: { saved: Choice; version: string }) {
  const { t } = useTranslation(["automaticQuotes", "common"]);
  const toast = useToast();
  const fetcher = useAction<AutomaticActionResult>();
  const { draft, setDraft, isChanged, discard, startSave, conflict } = useDraft(saved, version);
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "success") toast(t("common:said.saved"));
  });
  const delays = quoteDelays.map((hours) => ({
    value: String(hours),
    label: t(`settings.delays.h${hours}`),
  }));
  const days = insureDaysChoices.map((count) => ({
    value: String(count),
    label: count === 0 ? t("settings.insureNever") : t("settings.insureDays", { count }),
  }));
  const describe = ({ isOn, delayHours, insureDays }: Choice): [name: string, value: string][] => [
    [t("settings.on"), t(isOn ? "common:elsewhere.on" : "common:elsewhere.off")],
    [t("settings.delay"), delays.find(({ value }) => value === String(delayHours))?.label ?? ""],
    [t("settings.insure"), days.find(({ value }) => value === String(insureDays))?.label ?? ""],
  ];
  const save = () => {
    const { isOn, delayHours, insureDays } = draft;
    fetcher.submit(
      {
        intent: "save",
        isOn: isOn ? "on" : "off",
        delayHours,
        insureDays,
      },
      { method: "post", action: startSave(draft) },
    );
  };
  return (
    <TitledCard title={t("settings.title")}>
      <FormSaveBar
        id="automatic-quotes"
        open={isChanged}
        saving={fetcher.state !== "idle"}
        onSave={save}
        onDiscard={discard}
      />
      <ChangedElsewhere conflict={conflict} describe={describe} />
      <Permitted>
        {" "}
        <FormLayout>
          <Checkbox
            label={t("settings.on")}
            helpText={t("settings.onHelp")}
            checked={draft.isOn}
            onChange={(isOn) => setDraft({ ...draft, isOn })}
          />
          {draft.isOn && (
            <Banner tone="warning">
              <Text as="p">{t("settings.insurerConsent")}</Text>
            </Banner>
          )}
          {draft.isOn && (
            <Select
              label={t("settings.delay")}
              value={String(draft.delayHours)}
              options={delays}
              onChange={(value) => setDraft({ ...draft, delayHours: Number(value) })}
            />
          )}
          <Select
            label={t("settings.insure")}
            helpText={t("settings.insureHelp")}
            value={String(draft.insureDays)}
            options={days}
            onChange={(value) => setDraft({ ...draft, insureDays: Number(value) })}
          />
          <LearnMore text={t("settings.more")} />
        </FormLayout>
      </Permitted>{" "}
    </TitledCard>
  );
}

export type AutomaticActionResult = ActionResult<
  "saved" | "suppressed" | "allowed",
  "unknown" | "changed_elsewhere",
  "email",
  "email"
>;

/**
 * Customers who want no quotes, entered here or by themselves. The list shows dates alone, because Parasol stores
 * nothing else.
 */
export function SuppressionsCard({ suppressions }: { suppressions: { total: number; latest: Date[] } }) {
  const { t } = useTranslation("automaticQuotes");
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
      <Permitted>
        <fetcher.Form method="post" onSubmit={fields.onSubmit}>
          <input type="hidden" name="intent" value="suppress" />
          <FormLayout>
            <TextField label={t("suppressions.email")} type="email" {...fields.bind("email")} />
            <ButtonGroup>
              <Button submit loading={fetcher.state !== "idle"}>
                {t("suppressions.add")}
              </Button>
              <Button
                onClick={() => {
                  if (fields.check())
                    fetcher.submit({ intent: "allow", email: fields.values.email }, { method: "post" });
                }}
              >
                {t("suppressions.remove")}
              </Button>
            </ButtonGroup>
          </FormLayout>
        </fetcher.Form>
      </Permitted>
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
