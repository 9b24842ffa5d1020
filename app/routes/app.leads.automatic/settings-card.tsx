import { Checkbox, FormLayout, Select } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { leadDelays } from "#app/leads/order-leads/quotes.ts";
import { ChangedElsewhere } from "#app/ui/changed-elsewhere.tsx";
import { FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { LearnMore } from "#app/ui/learn-more.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useActionResult } from "#app/ui/use-action-result.ts";
import { useDraft } from "#app/ui/use-draft.ts";
import { useToast } from "#app/ui/use-toast.ts";
import { useAction } from "#app/ui/use-action.ts";
import type { AutomaticActionResult } from "./suppressions-card.tsx";

interface Choice {
  isOn: boolean;
  delayHours: number;
  tellsFlow: boolean;
}

/** Whether paid orders get quotes, and when. */
export function SettingsCard({ saved, version }: { saved: Choice; version: string }) {
  const { t } = useTranslation(["automaticLeads", "common"]);
  const toast = useToast();
  const fetcher = useAction<AutomaticActionResult>();
  const { draft, setDraft, isChanged, discard, startSave, conflict } = useDraft(saved, version);
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "success") toast(t("common:said.saved"));
  });
  const delays = leadDelays.map((hours) => ({ value: String(hours), label: t(`settings.delays.h${hours}`) }));
  const describe = ({ isOn, delayHours, tellsFlow }: Choice): [name: string, value: string][] => [
    [t("settings.on"), t(isOn ? "common:elsewhere.on" : "common:elsewhere.off")],
    [t("settings.delay"), delays.find(({ value }) => value === String(delayHours))?.label ?? ""],
    [t("settings.flow"), t(tellsFlow ? "common:elsewhere.on" : "common:elsewhere.off")],
  ];
  const save = () => {
    const { isOn, delayHours, tellsFlow } = draft;
    fetcher.submit(
      { intent: "save", isOn: isOn ? "on" : "off", delayHours, tellsFlow: tellsFlow ? "on" : "off" },
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
      <FormLayout>
        <Checkbox
          label={t("settings.on")}
          helpText={t("settings.onHelp")}
          checked={draft.isOn}
          onChange={(isOn) => setDraft({ ...draft, isOn })}
        />
        {draft.isOn && (
          <Select
            label={t("settings.delay")}
            value={String(draft.delayHours)}
            options={delays}
            onChange={(value) => setDraft({ ...draft, delayHours: Number(value) })}
          />
        )}
        {draft.isOn && (
          <Checkbox
            label={t("settings.flow")}
            helpText={t("settings.flowHelp")}
            checked={draft.tellsFlow}
            onChange={(tellsFlow) => setDraft({ ...draft, tellsFlow })}
          />
        )}
        <LearnMore text={t("settings.more")} />
      </FormLayout>
    </TitledCard>
  );
}
