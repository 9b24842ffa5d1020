/** The insurer's categories: their texts for shoppers, their documents, and their products in the shop. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Badge, Banner, BlockStack, Card, InlineGrid, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { categoryList, type ListedCategory } from "#app/catalogue/references/categories.server.ts";
import { isLink } from "#app/platform/web-address.ts";
import type { Category } from "#app/insurance/categories.ts";
import { requireMerchant } from "#app/merchants/guard.server.ts";
import { StackedKeyValueList, TechnicalDetail } from "#app/ui/details.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { ProductsPage } from "#app/ui/tabbed-page.tsx";
import styles from "./dialog.module.css";

export async function loader({ request }: LoaderFunctionArgs) {
  const { shop, merchant } = await requireMerchant(request);
  return { categories: await categoryList(shop, merchant.environment) };
}

export default function Categories() {
  const { categories } = useLoaderData<typeof loader>();
  const { t } = useTranslation("products");
  return (
    <ProductsPage>
      {categories.length === 0 && (
        <Card>
          <EmptyState
            title={t("categories.empty.title")}
            body={t("categories.empty.body")}
            action={{ content: t("toRules"), url: "/app/products" }}
          />
        </Card>
      )}
      {categories.map((listed) => (
        <CategoryCard key={listed.category.id} listed={listed} />
      ))}
    </ProductsPage>
  );
}

/** One category: its status in the shop, and its texts for shoppers. */
function CategoryCard({ listed }: { listed: ListedCategory }) {
  const { category, live, vanished, error, onSale, products, discoveredAt } = listed;
  const { t } = useTranslation("products");
  const { format } = useShop();
  const { conditionsUrl: conditions, ipidUrl: ipid } = category.legal;
  const hasDocuments = isLink(conditions) && isLink(ipid);
  const name = encodeURIComponent(category.id);
  return (
    <Card>
      <BlockStack gap="400">
        <BlockStack gap="100">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h2" variant="headingMd">
              {category.id}
            </Text>
            {vanished && <Badge tone="warning">{t("categories.vanished")}</Badge>}
            {live && <Badge tone="info">{t("categories.live")}</Badge>}
          </InlineStack>
          <InlineStack gap="300">
            <Link url={`/app/catalogue?category=${name}`}>{t("categories.onSale", { count: onSale })}</Link>
            <Link url={`/app/products/list?category=${name}`}>{t("products", { count: products })}</Link>
            {discoveredAt && (
              <Text as="span" tone="subdued">
                {t("categories.read", { date: format.dateTime(discoveredAt) })}
              </Text>
            )}
          </InlineStack>
        </BlockStack>
        {live && <Text as="p">{t("categories.liveHelp")}</Text>}
        {error !== null && (
          <Banner tone="warning">
            <Text as="p">{t("categories.error")}</Text>
            <TechnicalDetail>{error}</TechnicalDetail>
          </Banner>
        )}
        {!hasDocuments && (
          <Banner tone="critical">
            <Text as="p">{t("categories.noDocuments")}</Text>
          </Banner>
        )}
        <InlineGrid columns={{ xs: 1, md: 2 }} gap="400" alignItems="start">
          <OfferDialogPreview category={category} />
          <CategoryTexts category={category} />
        </InlineGrid>
      </BlockStack>
    </Card>
  );
}

/** The texts outside of the dialog, and the documents. */
function CategoryTexts({ category }: { category: Category }) {
  const { t } = useTranslation("products");
  const { buttons, modal, cart } = category.marketing;
  const { conditionsUrl: conditions, ipidUrl: ipid } = category.legal;
  const link = (address: string) =>
    isLink(address) ? (
      <Link url={address} target="_blank">
        {address}
      </Link>
    ) : (
      <Text as="span" tone={address === "" ? "subdued" : "critical"} breakWord>
        {address === "" ? t("categories.missing") : t("categories.noLink", { address })}
      </Text>
    );
  const text = (given: string) => given || t("categories.missing");
  return (
    <BlockStack gap="200">
      <StackedKeyValueList
        items={[
          [t("categories.text.headline"), text(buttons.headline)],
          [t("categories.text.link"), text(buttons.linkText)],
          [t("categories.text.cart"), text(cart.buttonText)],
          [t("categories.text.conditions"), link(conditions)],
          [t("categories.text.ipid"), link(ipid)],
          [t("categories.text.page"), link(modal.marketingPageUrl)],
        ]}
      />
      <Text as="p" tone="subdued">
        {t("categories.own")} <Link url="/app/touchpoints?place=texts">{t("categories.touchpoints")}</Link>
      </Text>
    </BlockStack>
  );
}

/**
 * A preview of the dialog that shoppers open, with the category's own texts; its controls do nothing. Empty if the
 * insurer sends no texts.
 */
function OfferDialogPreview({ category }: { category: Category }) {
  const { t } = useTranslation("products");
  const { modal } = category.marketing;
  const isEmpty = Object.values(modal).every((given) => given.length === 0);
  if (isEmpty) return null;
  return (
    <figure className={styles.dialog} aria-label={t("categories.dialog", { category: category.id })}>
      {(isLink(modal.merchantLogoUrl) || isLink(modal.imageUrl)) && (
        <div className={styles.pictures}>
          {isLink(modal.imageUrl) && <img src={modal.imageUrl} alt="" loading="lazy" />}
          {isLink(modal.merchantLogoUrl) && <img src={modal.merchantLogoUrl} alt="" loading="lazy" />}
        </div>
      )}
      <strong>{modal.headline}</strong>
      {modal.bulletsHeading !== "" && <span>{modal.bulletsHeading}</span>}
      {modal.bulletPoints.length > 0 && (
        <ul>
          {modal.bulletPoints.map((bullet, index) => (
            <li key={index}>{bullet}</li>
          ))}
        </ul>
      )}
      {modal.legalText !== "" && <small>{modal.legalText}</small>}
      <div className={styles.buttons}>
        {modal.buyText !== "" && <span className={styles.primary}>{modal.buyText}</span>}
        {modal.declineText !== "" && <span className={styles.secondary}>{modal.declineText}</span>}
      </div>
    </figure>
  );
}

export { shouldRevalidate } from "#app/ui/client-action.ts";
export { PageError as ErrorBoundary } from "#app/ui/page-error.tsx";
export { headers } from "#app/ui/headers.ts";
