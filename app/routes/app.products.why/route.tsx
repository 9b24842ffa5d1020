/**
 * "Why is there no offer here?": each step from the connection to the shopper's screen, with its answer. The theme's
 * preview links here too: `?variant=…&touchpoint=…&currency=…`.
 */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { Card, SkeletonBodyText } from "@shopify/polaris";
import { z } from "zod";
import { storefrontTouchpoints } from "#app/offers/storefront-settings.ts";
import { blockingStep, whyNoOffer } from "#app/offers/inspector/inspector.ts";
import { gatherFacts } from "#app/offers/inspector/inspector.server.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { ProductsPage } from "#app/ui/products-page.tsx";
import { Question } from "./question.tsx";
import { Steps } from "./steps.tsx";

const question = z.object({
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
  const asked = question.parse(Object.fromEntries(new URL(request.url).searchParams));
  const { variant: variantId, touchpoint, currency } = asked;
  if (variantId === null) return { asked, answer: null };
  const facts = await gatherFacts(merchant, { variantId, touchpoint, currency });
  const steps = whyNoOffer(facts);
  return { asked, answer: { product: facts.product, steps, blocking: blockingStep(steps) } };
}

export default function Why() {
  const { asked, answer } = useLoaderData<typeof loader>();
  const { state, location } = useNavigation();
  const asking = state === "loading" && location.pathname === "/app/products/why";
  return (
    <ProductsPage>
      <Question asked={asked} />
      {asking ? (
        <Card>
          <SkeletonBodyText lines={9} />
        </Card>
      ) : (
        answer && <Steps {...answer} />
      )}
    </ProductsPage>
  );
}

export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
