import { Badge, Box, Card, IndexTable, InlineStack, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import type { OrderView } from "#app/plans/order-page.server.ts";
import { useShop } from "#app/ui/shop.tsx";

/** The order's products, with what the service is told of each. */
export function LinesCard({ lines }: { lines: OrderView["lines"] }) {
  const { t } = useTranslation("orders");
  const { format } = useShop();
  return (
    <Card padding="0">
      <Box padding="400">
        <Text as="h2" variant="headingMd">
          {t("page.lines")}
        </Text>
      </Box>
      <IndexTable
        selectable={false}
        itemCount={lines.length}
        headings={[
          { title: t("line.product") },
          { title: t("line.quantity"), alignment: "end" },
          { title: t("line.price"), alignment: "end" },
          { title: t("line.insurance") },
        ]}
      >
        {lines.map((line, index) => (
          <IndexTable.Row key={line.lineId} id={line.lineId} position={index}>
            <IndexTable.Cell>
              <Text as="span">{line.title}</Text>
              {line.categoryId !== "" && (
                <Text as="p" tone="subdued">
                  {line.categoryId}
                </Text>
              )}
            </IndexTable.Cell>
            <IndexTable.Cell>
              <Text as="span" alignment="end" numeric>
                {line.currentQuantity === line.quantity
                  ? format.number(line.quantity)
                  : t("line.left", {
                      left: format.number(line.currentQuantity),
                      all: format.number(line.quantity),
                    })}
              </Text>
            </IndexTable.Cell>
            <IndexTable.Cell>
              <Text as="span" alignment="end" numeric>
                {format.money(line.priceMinor, line.currency)}
              </Text>
            </IndexTable.Cell>
            <IndexTable.Cell>
              <InlineStack gap="100">
                <Badge tone={line.insuranceOffered ? "info" : undefined}>
                  {t(line.insuranceOffered ? "line.offered" : "line.notOffered")}
                </Badge>
                {line.insuranceOffered && (
                  <Badge tone={line.insuranceSelected ? "success" : undefined}>
                    {t(line.insuranceSelected ? "line.selected" : "line.notSelected")}
                  </Badge>
                )}
              </InlineStack>
            </IndexTable.Cell>
          </IndexTable.Row>
        ))}
      </IndexTable>
    </Card>
  );
}
