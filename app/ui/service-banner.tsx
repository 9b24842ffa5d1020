import { Banner, Box, Text } from "@shopify/polaris";
import { useTranslation } from "react-i18next";

export interface ServiceNotice {
  state: "refused" | "unreachable";
  environment: "test" | "production";
}

/** On every page: the service no longer takes the token, or does not answer. */
export function ServiceBanner({ notice }: { notice: ServiceNotice }) {
  const { t } = useTranslation();
  const { state } = notice;
  return (
    <Box paddingInline={{ xs: "0", sm: "600" }} paddingBlockStart="400">
      <Banner
        tone={state === "refused" ? "critical" : "warning"}
        title={t(`banner.${state}.title`)}
        action={{ content: t(`banner.${state}.action`), url: `/app/connection#${notice.environment}` }}
      >
        <Text as="p">
          {t(`banner.${state}.body`, { environment: t(`environment.${notice.environment}`) })}
        </Text>
      </Banner>
    </Box>
  );
}
