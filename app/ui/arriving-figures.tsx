import { useRevalidator } from "@remix-run/react";
import { Banner, Text } from "@shopify/polaris";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Arrival } from "./deferred.tsx";
import { FiguresSkeleton } from "./skeletons.tsx";

interface Props<T> {
  arrival: Arrival<T>;
  texts: { loading: string; loaded: string; failedTitle: string; failedBody: string };
  children: (value: T) => ReactNode;
}

/** Figures that arrive after their page, with a way to try again. The previous ones are hidden while they load. */
export function ArrivingFigures<T>({ arrival, texts, children }: Props<T>) {
  const { t } = useTranslation();
  const { revalidate } = useRevalidator();
  return (
    <>
      <div role="status">
        <Text as="p" visuallyHidden>
          {arrival.state === "pending" && texts.loading}
          {arrival.state === "arrived" && texts.loaded}
        </Text>
      </div>
      {arrival.state === "pending" && <FiguresSkeleton />}
      {arrival.state === "failed" && (
        <Banner
          tone="critical"
          title={texts.failedTitle}
          action={{ content: t("action.retry"), onAction: revalidate }}
        >
          <Text as="p">{texts.failedBody}</Text>
        </Banner>
      )}
      {arrival.state === "arrived" && children(arrival.value)}
    </>
  );
}
