/**
 * The offer inspector, "Why is there no offer here?": each step from the connection to the shopper's screen. The theme's
 * preview links here too: `?variant=…&touchpoint=…&currency=…`.
 */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { Card, SkeletonBodyText } from "@shopify/polaris";
import { z } from "zod";
import { storefrontTouchpoints } from "#app/offers/storefront-choices.ts";
import { blockingStep, inspectOffer } from "#app/offers/inspector/inspector.ts";
import { readInspectorInput } from "#app/offers/inspector/inspector.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { ProductsPage } from "#app/ui/tabbed-page.tsx";
import { InspectorForm } from "./inspector-form.tsx";
import { InspectorSteps } from "./inspector-steps.tsx";

const inspectorQuery = z.object({
  variant: z.string().regex(/^\d+$/).nullable().catch(null),
  touchpoint: z.enum(storefrontTouchpoints).catch("product_page"),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .nullable()
    .catch(null),
});

export async function loader({ request }: LoaderFunctionArgs) {
  const { merchant } = await requireMerchant(request);
  const query = inspectorQuery.parse(Object.fromEntries(new URL(request.url).searchParams));
  const { variant: variantId, touchpoint, currency } = query;
  if (variantId === null) return { query, result: null };
  const input = await readInspectorInput(merchant, { variantId, touchpoint, currency });
  const steps = inspectOffer(input);
  return { query, result: { product: input.product, steps, blocking: blockingStep(steps) } };
}

export default function Inspector() {
  const { query, result } = useLoaderData<typeof loader>();
  const { state, location } = useNavigation();
  const isLoading = state === "loading" && location.pathname === "/app/products/inspector";
  return (
    <ProductsPage>
      <InspectorForm query={query} />
      {isLoading ? (
        <Card>
          <SkeletonBodyText lines={9} />
        </Card>
      ) : (
        result && <InspectorSteps {...result} />
      )}
    </ProductsPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
