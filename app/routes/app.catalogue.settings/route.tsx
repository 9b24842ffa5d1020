/** Catalogue settings: refresh, tax, language, sales channels. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Checkbox, ChoiceList, FormLayout, Link, Select, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import {
  type CatalogueSettings,
  catalogueSettings,
  readCatalogueSettings,
  saveCatalogueSettings,
} from "#app/catalogue/settings.server.ts";
import { type Channel, readChannels } from "#app/catalogue/sync/publication.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { versionIn, versionOf } from "#app/merchants/settings.server.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { anyObject, parseJson } from "#app/platform/form.server.ts";
import { languageNames, languages } from "#app/platform/locale.ts";
import { createAdminClient, readOrNull } from "#app/shopify/graphql.server.ts";
import { type ActionResult, invalid, refused, success } from "#app/ui/action-result.ts";
import { Deferred } from "#app/ui/deferred.tsx";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { ChangedElsewhere, FormSaveBar } from "#app/ui/form-save-bar.tsx";
import { CataloguePage } from "#app/ui/tabbed-page.tsx";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { useAction, useActionResult, useToast } from "#app/ui/use-action.ts";
import { useDraft } from "#app/ui/use-draft.ts";
import { Permitted } from "#app/ui/permitted.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  const settings = await readCatalogueSettings(shop);
  const channels = readOrNull(shop, "the sales channels", (signal) =>
    readChannels(createAdminClient(shop, { signal, attempts: 2 })),
  );
  return { settings, version: versionOf(settings), channels };
}

type SettingsActionResult = ActionResult<null, "changed_elsewhere", keyof CatalogueSettings, "malformed">;

export const action = pageAction(async ({ request }, { shop, actor }): Promise<SettingsActionResult> => {
  const entered = catalogueSettings.safeParse(await parseJson(request, anyObject));
  if (!entered.success) return invalid(fieldProblems(entered.error, ["malformed"]));
  const isSaved = await saveCatalogueSettings(shop, entered.data, actor, versionIn(request));
  return isSaved ? success() : refused("changed_elsewhere");
});

export default function Settings() {
  const { settings, version, channels } = useLoaderData<typeof loader>();
  const { t } = useTranslation(["catalogue", "common"]);
  const toast = useToast();
  const showError = useErrorBanner();
  const fetcher = useAction<SettingsActionResult>();
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "success") toast(t("settings.saved"));
    if (state === "invalid") showError(t("settings.invalid"));
  });
  return (
    <CataloguePage>
      <SettingsForm
        saved={settings}
        channels={channels}
        version={version}
        saving={fetcher.state !== "idle"}
        onSave={(changed, action) =>
          fetcher.submit(JSON.stringify(changed), { method: "post", encType: "application/json", action })
        }
      />
    </CataloguePage>
  );
}

/** The settings by the names of their fields. */
function useSettingsText() {
  const { t } = useTranslation(["catalogue", "common"]);
  return (settings: CatalogueSettings): [name: string, value: string][] => [
    [t("settings.refresh"), t(`settings.hours.h${settings.refreshHours}`)],
    [t("settings.taxable"), t(settings.taxable ? "common:elsewhere.on" : "common:elsewhere.off")],
    [t("settings.language"), languageNames[settings.language]],
    [t("settings.channels"), String(settings.channels.length)],
  ];
}

interface SettingsFormProps {
  saved: CatalogueSettings;
  /** null: Shopify does not answer */
  channels: Promise<Channel[] | null>;
  version: string;
  saving: boolean;
  /** @param action the URL that saves the changes to this version */
  onSave: (settings: CatalogueSettings, action: string) => void;
}

const hours = [1, 24, 168, 0] as const satisfies CatalogueSettings["refreshHours"][];

function SettingsForm({ saved, channels, version, saving, onSave }: SettingsFormProps) {
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
      <Permitted>
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
          <Deferred value={channels}>
            {(found) => {
              const others = found?.filter(({ kind }) => kind === "other") ?? [];
              if (others.length === 0) return null;
              return (
                <ChoiceList
                  allowMultiple
                  title={t("settings.channels")}
                  choices={others.map(({ id, name }) => ({ value: id, label: name }))}
                  selected={draft.channels}
                  onChange={(chosen) => change({ channels: chosen.toSorted() })}
                />
              );
            }}
          </Deferred>
          <Text as="p" tone="subdued">
            {t("settings.channelsHelp")}
          </Text>
          <Text as="p" tone="subdued">
            {t("settings.edits")} <Link url="/app/history?what=catalogue">{t("settings.history")}</Link>
          </Text>
        </FormLayout>
      </Permitted>
    </TitledCard>
  );
}

export { clientAction, shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
