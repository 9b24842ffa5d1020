/** How the catalogue is kept: refresh, tax, language. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslation } from "react-i18next";
import type { CatalogueSettings } from "#app/catalogue/settings.server.ts";
import {
  catalogueSettings,
  readCatalogueSettings,
  saveCatalogueSettings,
} from "#app/catalogue/settings.server.ts";
import { versionIn, versionOf } from "#app/merchants/settings.server.ts";
import { pageAction, requireMerchant } from "#app/merchants/guard.server.ts";
import { fieldProblems } from "#app/platform/field-problems.ts";
import { anyObject, parseJson } from "#app/platform/form.server.ts";
import { invalid, refused, success } from "#app/ui/action-result.ts";
import type { ActionResult } from "#app/ui/action-result.ts";
import { CataloguePage } from "#app/ui/tabbed-page.tsx";
import { useErrorBanner } from "#app/ui/error-banner.tsx";
import { useToast, useActionResult, useAction } from "#app/ui/use-action.ts";
import { SettingsForm } from "./settings-form.tsx";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop } = await requireMerchant(request);
  const settings = await readCatalogueSettings(shop);
  return { settings, version: versionOf(settings) };
}

type SettingsActionResult = ActionResult<null, "changed_elsewhere", keyof CatalogueSettings, "malformed">;

export const action = pageAction(async ({ request }, { shop, actor }): Promise<SettingsActionResult> => {
  const entered = catalogueSettings.safeParse(await parseJson(request, anyObject));
  if (!entered.success) return invalid(fieldProblems(entered.error, ["malformed"]));
  const isSaved = await saveCatalogueSettings(shop, entered.data, actor, versionIn(request));
  return isSaved ? success() : refused("changed_elsewhere");
});

export default function Settings() {
  const { settings, version } = useLoaderData<typeof loader>();
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
        version={version}
        saving={fetcher.state !== "idle"}
        onSave={(changed, action) =>
          fetcher.submit(JSON.stringify(changed), { method: "post", encType: "application/json", action })
        }
      />
    </CataloguePage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
