/** How the catalogue is kept: refresh, changes by hand, tax, language; and the changes by hand that were noticed. */
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useFetcher, useLoaderData } from "@remix-run/react";
import { Card, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { listManualEdits } from "#app/catalogue/sync/manual-edits.server.ts";
import type { CatalogueSettings } from "#app/catalogue/settings.server.ts";
import {
  catalogueSettings,
  readCatalogueSettings,
  saveCatalogueSettings,
} from "#app/catalogue/settings.server.ts";
import { versionIn, versionOf } from "#app/merchants/save-settings.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { anyObject, parseJson } from "#app/platform/form.server.ts";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { CataloguePage } from "#app/ui/catalogue-page.tsx";
import { ManualEditTable } from "#app/ui/manual-edit-table.tsx";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { useToast } from "#app/ui/use-toast.ts";
import { useActionResult } from "#app/ui/use-action-result.ts";
import { SettingsForm } from "./settings-form.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  const [settings, edits] = await Promise.all([readCatalogueSettings(shop), listManualEdits(shop)]);
  return { settings, version: versionOf(settings), edits };
}

type SettingsActionResult = ActionResult<null, "changed_elsewhere", keyof CatalogueSettings, "malformed">;

export async function action({ request }: ActionFunctionArgs): Promise<SettingsActionResult> {
  const { shop, actor } = await requireMerchant(request);
  const entered = catalogueSettings.safeParse(await parseJson(request, anyObject));
  if (!entered.success) return invalid(fieldProblems(entered.error, ["malformed"]));
  const isSaved = await saveCatalogueSettings(shop, entered.data, actor, versionIn(request));
  return isSaved ? success() : refused("changed_elsewhere");
}

export default function Settings() {
  const { settings, version, edits } = useLoaderData<typeof loader>();
  const { t } = useTranslation(["catalogue", "common"]);
  const toast = useToast();
  const showError = useErrorBanner();
  const fetcher = useFetcher<SettingsActionResult>();
  useActionResult(fetcher.data, ({ state }) => {
    if (state === "success") toast(t("settings.saved"));
    if (state === "invalid") showError(t("settings.invalid"));
  });
  return (
    <CataloguePage>
      <SettingsForm
        saved={settings}
        version={version}
        saving={fetcher.state !== "idle"}
        onSave={(changed, action) =>
          fetcher.submit(JSON.stringify(changed), { method: "post", encType: "application/json", action })
        }
      />
      {edits.length > 0 ? (
        <ManualEditTable edits={edits} />
      ) : (
        <Card>
          <Text as="p" tone="subdued">
            {t("edits.none")}
          </Text>
        </Card>
      )}
    </CataloguePage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
