import {
  BlockStack,
  Box,
  Card,
  InlineGrid,
  SkeletonBodyText,
  SkeletonDisplayText,
  SkeletonPage,
} from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";

/** Pages with a single list. */
const lists = new Set([
  "/app/orders",
  "/app/tasks",
  "/app/catalogue",
  "/app/catalogue/list",
  "/app/products/list",
  "/app/claims",
  "/app/plans",
  "/app/quotes",
  "/app/history",
]);

/** Replaces a page that is loading: a list, figures, or cards like a form's. @param address its path */
export function PageSkeleton({ address }: { address: string }) {
  const { t } = useTranslation();
  const hasFigures = address === "/app" || address.startsWith("/app/analytics");
  const isList = lists.has(address);
  return (
    <SkeletonPage title={t("table.loading")} fullWidth={isList || (hasFigures && address !== "/app")}>
      {isList ? <ListSkeleton /> : hasFigures ? <FiguresSkeleton /> : <CardsSkeleton />}
    </SkeletonPage>
  );
}

function ListSkeleton() {
  return (
    <Card padding="0">
      <Box padding="400">
        <SkeletonDisplayText size="small" />
      </Box>
      {times(8, (row) => (
        <Box
          key={row}
          paddingInline="400"
          paddingBlock="300"
          borderBlockStartWidth="025"
          borderColor="border-secondary"
        >
          <SkeletonBodyText lines={1} />
        </Box>
      ))}
    </Card>
  );
}

/** Replaces figures, a chart or a list. */
export function FiguresSkeleton() {
  return (
    <BlockStack gap="400">
      <InlineGrid columns={{ xs: 1, sm: 2, lg: 4 }} gap="400">
        {times(4, (figure) => (
          <Card key={figure}>
            <BlockStack gap="200">
              <SkeletonBodyText lines={1} />
              <SkeletonDisplayText size="small" />
            </BlockStack>
          </Card>
        ))}
      </InlineGrid>
      <Card>
        <SkeletonBodyText lines={8} />
      </Card>
    </BlockStack>
  );
}

function CardsSkeleton() {
  return (
    <BlockStack gap="400">
      {times(3, (card) => (
        <Card key={card}>
          <BlockStack gap="300">
            <SkeletonDisplayText size="small" />
            <SkeletonBodyText lines={3} />
          </BlockStack>
        </Card>
      ))}
    </BlockStack>
  );
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** The previous page stays this long while the next one loads. */
const PATIENCE_MS = 300;

/** While a page loads: the admin's loading bar, and soon a skeleton instead of the previous page. */
export function NavigationSkeleton({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const { state, location } = useNavigation();
  const loading = state !== "idle";
  const target = state === "loading" && location.pathname !== pathname ? location.pathname : null;
  const [late, setLate] = useState<string | null>(null);

  useEffect(() => {
    if (!loading) return;
    window.shopify.loading(true);
    return () => window.shopify.loading(false);
  }, [loading]);
  useEffect(() => {
    if (target === null) return;
    const timer = setTimeout(() => setLate(target), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLate(null);
    };
  }, [target]);

  if (target === null || late !== target) return <main aria-busy={loading}>{children}</main>;
  return (
    <main aria-busy>
      <PageSkeleton address={target} />
    </main>
  );
}
