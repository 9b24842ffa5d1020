/** Home: is the insurance selling, and is everything all right? */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { Page } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { requireMerchant } from "#app/merchants/guard.server.ts";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireMerchant(request);
  return null;
}

export default function Home() {
  const { t } = useTranslation();
  return <Page title={t("nav.home")} />;
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
