import { Badge, BlockStack, Button, Card, Checkbox, InlineStack, Link, List, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { toCartSection } from "#app/offers/editor-links.ts";
import type { Placement, Surface } from "#app/offers/placement.ts";
import type { StorefrontTouchpoint } from "#app/offers/storefront-choices.ts";
import { Deferred } from "#app/ui/deferred.tsx";
import { settingsAddress } from "#app/ui/settings-parts.ts";
import { TitledCard } from "#app/ui/titled-card.tsx";
import { FormatPicker } from "./format-picker.tsx";
import type { DraftProps } from "./touchpoint-settings.ts";

interface TouchpointCardProps extends DraftProps {
  name: StorefrontTouchpoint;
  /** address of the theme editor */
  editor: string;
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
  /** of the cart template; null: no template accepts app blocks */
  cartSection: Promise<string | null>;
}

/** One touchpoint: its switch, its place in the theme, its format. */
export function TouchpointCard({
  name,
  draft,
  onChange,
  editor,
  placement,
  cartSection,
}: TouchpointCardProps) {
  const { t } = useTranslation("touchpoints");
  const { on } = draft.touchpoints[name];
  const { format, asks } = draft.touchpoints.product_page;
  const change = (part: object) =>
    onChange({
      ...draft,
      touchpoints: { ...draft.touchpoints, [name]: { ...draft.touchpoints[name], ...part } },
    });
  return (
    <Card>
      <BlockStack gap="400">
        <InlineStack align="space-between" gap="200" blockAlign="center">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h2" variant="headingMd">
              {t(`name.${name}`)}
            </Text>
            <PlacementBadge placement={placement} surface={name} on={on} />
          </InlineStack>
          <Deferred value={cartSection}>
            {(section) => (
              <Button url={toCartSection(editor, section)} target="_blank">
                {t("edit")}
              </Button>
            )}
          </Deferred>
        </InlineStack>
        <BlockStack gap="100">
          <Text as="p" tone="subdued">
            {t(`about.${name}`)}
          </Text>
          <PlacementTemplates templates={placement?.templates[name] ?? []} />
        </BlockStack>
        <Checkbox label={t("on")} checked={on} onChange={(checked) => change({ on: checked })} />
        {name === "product_page" && (
          <>
            <FormatPicker value={format} onChange={(chosen) => change({ format: chosen })} />
            {(format === "floating" || format === "sticky") && (
              <Text as="p" tone="subdued">
                {t(`ownBar.${format}`)}
              </Text>
            )}
            {format !== "modal" && format !== "section" && (
              <Checkbox
                label={t("asks.label")}
                helpText={t("asks.help")}
                checked={asks}
                onChange={(checked) => change({ asks: checked })}
              />
            )}
          </>
        )}
        <div>
          <Link url={`/app/products/inspector?touchpoint=${name}`}>{t("diagnosis")}</Link>
        </div>
      </BlockStack>
    </Card>
  );
}

interface CheckoutCardProps extends DraftProps {
  /** address of the checkout editor */
  editor: string;
  placement: Placement | null | undefined;
}

/** The checkout of Plus shops: the merchant turns it on here and places the block in Shopify's editor. */
export function CheckoutCard({ draft, onChange, editor, placement }: CheckoutCardProps) {
  const { t } = useTranslation("touchpoints");
  const { touchpoints } = draft;
  return (
    <TitledCard
      title={t("name.checkout")}
      action={
        <Button url={editor} target="_blank">
          {t("checkout.edit")}
        </Button>
      }
    >
      <Text as="p" tone="subdued">
        {t("checkout.about")}
      </Text>
      <div>
        <PlacementBadge placement={placement} surface="checkout" on={touchpoints.checkout.on} />
      </div>
      <Checkbox
        label={t("on")}
        helpText={t("checkout.steps")}
        checked={touchpoints.checkout.on}
        onChange={(on) => onChange({ ...draft, touchpoints: { ...touchpoints, checkout: { on } } })}
      />
    </TitledCard>
  );
}

interface AfterPurchaseCardProps {
  /** address of the checkout and accounts editor */
  editor: string;
  placement: Placement | null | undefined;
}

/**
 * The places where customers see their cover and get quotes after the payment: blocks of Shopify's editor, and e-mails.
 */
export function AfterPurchaseCard({ editor, placement }: AfterPurchaseCardProps) {
  const { t } = useTranslation("touchpoints");
  return (
    <>
      <TitledCard
        title={t("after.cover.title")}
        help={t("after.cover.help")}
        action={
          <Button url={editor} target="_blank">
            {t("checkout.edit")}
          </Button>
        }
      >
        {(["thank_you", "order_page", "account"] as const).map((surface) => (
          <InlineStack key={surface} gap="200" blockAlign="center">
            <Text as="p">{t(`after.cover.${surface}`)}</Text>
            <PlacementBadge placement={placement} surface={surface} />
          </InlineStack>
        ))}
      </TitledCard>
      <TitledCard title={t("after.quotes.title")}>
        <Text as="p">{t("after.quotes.help")}</Text>
        <div>
          <Link url="/app/quotes/automatic">{t("after.quotes.automatic")}</Link>
        </div>
        <div>
          <Link url="/app/quotes/new">{t("after.quotes.one")}</Link>
        </div>
      </TitledCard>
    </>
  );
}

/** The places where the shop's staff sell insurance: blocks in the Shopify admin. */
export function StaffCard() {
  const { t } = useTranslation("touchpoints");
  return (
    <TitledCard title={t("staff.title")} help={t("staff.help")}>
      <List>
        <List.Item>{t("staff.draftOrder")}</List.Item>
        <List.Item>{t("staff.order")}</List.Item>
      </List>
      <Text as="p">{t("staff.pin")}</Text>
      <div>
        <Link url={settingsAddress("sale", "orders")}>{t("staff.settings")}</Link>
      </div>
    </TitledCard>
  );
}

interface PlacementBadgeProps {
  /** undefined: being read; null: cannot be read */
  placement: Placement | null | undefined;
  surface: Surface;
  /** the merchant has switched it on */
  on?: boolean;
}

/** Whether shoppers see it: the merchant's switch together with its place in the theme. */
function PlacementBadge({ placement, surface, on = true }: PlacementBadgeProps) {
  const { t } = useTranslation("touchpoints");
  if (placement === undefined) return <Badge>{t("placed.reading")}</Badge>;
  if (placement === null) return <Badge>{t("placed.unknown")}</Badge>;
  if (!on) return <Badge>{t("placed.off")}</Badge>;
  return placement.placed.has(surface) ? (
    <Badge tone="success">{t("placed.yes")}</Badge>
  ) : (
    <Badge tone="attention">{t("placed.no")}</Badge>
  );
}

/** The theme templates that show it: a shop may have several for products. */
function PlacementTemplates({ templates }: { templates: string[] }) {
  const { t } = useTranslation("touchpoints");
  if (templates.length === 0) return null;
  return (
    <Text as="p" tone="subdued" breakWord>
      {t("placed.templates", { count: templates.length, templates: templates.join(", ") })}
    </Text>
  );
}
