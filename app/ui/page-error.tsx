import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { Banner, BlockStack, Page, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { refusalIn } from "#app/merchants/permissions.ts";

/**
 * The ErrorBoundary of every page of the admin: `export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";`
 * The navigation stays. Details are in the server's log, not on the screen.
 */
export function PageError() {
  const error = useRouteError();
  const { t } = useTranslation();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const refusal = status === 403 && isRouteErrorResponse(error) ? refusalIn(error.data) : null;
  const said =
    refusal !== null
      ? { title: t("refusal.title"), body: t(`refusal.${refusal}`) }
      : status === 403
        ? {
            title: t("error.forbidden.title"),
            body: t("error.forbidden.body", {
              missing: isRouteErrorResponse(error) ? missingOf(error.data) : "",
            }),
          }
        : status === 404
          ? { title: t("error.missing.title"), body: t("error.missing.body") }
          : status === 401
            ? { title: t("error.session.title"), body: t("error.session.body") }
            : { title: t("error.title"), body: t("error.body") };
  return (
    <Page title={said.title}>
      <BlockStack gap="400">
        <Banner
          tone={status === 404 ? "info" : refusal === null ? "critical" : "warning"}
          action={
            status === 404 || (refusal !== null && refusal !== "unknown")
              ? { content: t("error.missing.home"), url: "/app" }
              : { content: t("action.reload"), onAction: () => location.reload() }
          }
        >
          <Text as="p">{said.body}</Text>
        </Banner>
      </BlockStack>
    </Page>
  );
}

/** The missing permission in a refusal. It avoids the schema library, because every page loads this file. */
function missingOf(data: unknown): string {
  const named = typeof data === "object" && data !== null && "missing" in data ? data.missing : null;
  return Array.isArray(named) ? named.filter((name) => typeof name === "string").join(", ") : "";
}
