import { Badge, BlockStack, Box, Button, InlineStack, Link, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { DifferenceGroup, Shown } from "#app/settlement/difference.ts";
import type { SettlementView } from "#app/settlement/settlement-page.server.ts";
import { useDownload } from "#app/ui/exportable-list.tsx";
import { ListTable } from "#app/ui/list-table.tsx";
import { useShop } from "#app/ui/shop.tsx";
import { TitledList } from "#app/ui/titled-card.tsx";

/** The differences by kind, each with what to do. */
export function DifferencesCard({ view, month }: { view: SettlementView; month: string }) {
  const { t } = useTranslation("settlement");
  const { downloading, download } = useDownload();
  const search = new URLSearchParams({
    month,
    ...(view.otherStoreId === null ? {} : { store: view.otherStoreId }),
  });
  return (
    <TitledList
      title={t("differences.title")}
      help={
        view.differences === 0 ? t("differences.none") : t("differences.count", { count: view.differences })
      }
      action={
        view.differences === 0 ? undefined : (
          <Button
            loading={downloading}
            onClick={() =>
              void download(
                `/app/analytics/settlement/file?name=differences.csv&${search}`,
                "differences.csv",
              )
            }
          >
            {t("differences.download")}
          </Button>
        )
      }
    >
      {view.groups.map((group) => (
        <Group key={group.kind} group={group} />
      ))}
    </TitledList>
  );
}

function Group({ group: { kind, count, amounts, shown } }: { group: DifferenceGroup }) {
  const { t } = useTranslation("settlement");
  const { format } = useShop();
  const say = (value: Shown | null) =>
    value === null
      ? null
      : "minor" in value
        ? format.money(value.minor, value.currency)
        : "day" in value
          ? format.date(value.day)
          : value.text;
  return (
    <Box borderBlockStartWidth="025" borderColor="border">
      <Box padding="400">
        <BlockStack gap="200">
          <InlineStack gap="200" blockAlign="center">
            <Text as="h3" variant="headingSm">
              {t(`kind.${kind}.title`)}
            </Text>
            <Badge tone="warning">{format.number(count)}</Badge>
            <Text as="span" numeric>
              {amounts.map(({ minor, currency }) => format.money(minor, currency)).join(" · ")}
            </Text>
          </InlineStack>
          <Text as="p" tone="subdued">
            {t(`kind.${kind}.mend`)}
          </Text>
        </BlockStack>
      </Box>
      <ListTable
        columns={[
          { title: t("differences.contract"), kind: "id" },
          { title: t("differences.order"), kind: "short" },
          { title: t("differences.day"), kind: "short" },
          { title: t("differences.here"), kind: "short" },
          { title: t("differences.there"), kind: "short" },
          { title: t("differences.amount"), kind: "number" },
        ]}
        rows={shown.map((difference, index) => ({
          key: `${difference.contractId} ${index}`,
          cells: [
            difference.contractId,
            difference.order && (
              <Link url={`/app/orders/${difference.order.id}`}>{difference.order.name}</Link>
            ),
            format.date(difference.day),
            say(difference.here),
            say(difference.there),
            format.money(difference.amountMinor, difference.currency),
          ],
        }))}
      />
      {count > shown.length && (
        <Box padding="400">
          <Text as="p" tone="subdued">
            {t("differences.more", { count: count - shown.length })}
          </Text>
        </Box>
      )}
    </Box>
  );
}
