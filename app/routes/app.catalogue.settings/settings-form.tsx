import { Checkbox, FormLayout, Link, Select, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { CatalogueSettings } from "#app/catalogue/settings.server.ts";
import { ChangedElsewhere, FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { languageNames, languages } from "#app/platform/locale.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useDraft } from "#app/ui/use-draft.ts";

/** The settings by the names of their fields. */
function useSettingsText() {
  const { t } = useTranslation(["catalogue", "common"]);
  return (settings: CatalogueSettings): [name: string, value: string][] => [
    [t("settings.refresh"), t(`settings.hours.h${settings.refreshHours}`)],
    [t("settings.taxable"), t(settings.taxable ? "common:elsewhere.on" : "common:elsewhere.off")],
    [t("settings.language"), languageNames[settings.language]],
  ];
}

interface Props {
  saved: CatalogueSettings;
  version: string;
  saving: boolean;
  /** @param action the address that saves this version's changes */
  onSave: (settings: CatalogueSettings, action: string) => void;
}

const hours = [1, 24, 168, 0] as const satisfies CatalogueSettings["refreshHours"][];

export function SettingsForm({ saved, version, saving, onSave }: Props) {
  const { t } = useTranslation("catalogue");
  const { draft, setDraft, isChanged, discard, startSave, conflict } = useDraft(saved, version);
  const settingsText = useSettingsText();
  const change = (changed: Partial<CatalogueSettings>) => setDraft({ ...draft, ...changed });
  return (
    <TitledCard title={t("settings.title")}>
      <FormSaveBar
        id="catalogue-settings"
        open={isChanged}
        saving={saving}
        onSave={() => onSave(draft, startSave(draft))}
        onDiscard={discard}
      />
      <ChangedElsewhere conflict={conflict} describe={settingsText} />
      <FormLayout>
        <Select
          label={t("settings.refresh")}
          helpText={t("settings.refreshHelp")}
          options={hours.map((value) => ({ value: String(value), label: t(`settings.hours.h${value}`) }))}
          value={String(draft.refreshHours)}
          onChange={(chosen) => {
            const refreshHours = hours.find((value) => String(value) === chosen);
            if (refreshHours !== undefined) change({ refreshHours });
          }}
        />
        <Checkbox
          label={t("settings.taxable")}
          helpText={t("settings.taxableHelp")}
          checked={draft.taxable}
          onChange={(taxable) => change({ taxable })}
        />
        <Select
          label={t("settings.language")}
          helpText={t("settings.languageHelp")}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
          value={draft.language}
          onChange={(chosen) => {
            const language = languages.find((value) => value === chosen);
            if (language) change({ language });
          }}
        />
        <Text as="p" tone="subdued">
          {t("settings.edits")} <Link url="/app/history?what=catalogue">{t("settings.history")}</Link>
        </Text>
      </FormLayout>
    </TitledCard>
  );
}
