import { isRouteErrorResponse, useRouteError } from "@remix-run/react";
import { Banner, BlockStack, Page, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { z } from "zod";

const forbidden = z.object({ missing: z.array(z.string()) });

/**
 * The ErrorBoundary of every page of the admin: `export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";`
 * The navigation stays; details are in the server's log, not on the screen.
 */
export function PageError() {
  const error = useRouteError();
  const { t } = useTranslation();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const refused = isRouteErrorResponse(error) ? forbidden.safeParse(error.data) : null;
  const said =
    status === 403
      ? {
          title: t("error.forbidden.title"),
          body: t("error.forbidden.body", { missing: refused?.data?.missing.join(", ") ?? "" }),
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
          tone={status === 404 ? "info" : "critical"}
          action={
            status === 404 ? undefined : { content: t("action.reload"), onAction: () => location.reload() }
          }
        >
          <Text as="p">{said.body}</Text>
        </Banner>
      </BlockStack>
    </Page>
  );
}
