import { Link } from "@shopify/polaris";
import { useTranslation } from "react-i18next";
import { useAccount } from "./account-notice.tsx";

/**
 * The way to the merchant's account at the insurance service, for texts that send people there. Nothing where its address
 * is not entered under Connection.
 */
export function ServiceAccountLink() {
  const { t } = useTranslation();
  const url = useAccount()?.url ?? null;
  if (url === null) return null;
  return (
    <Link url={url} target="_blank">
      {t("serviceAccount")}
    </Link>
  );
}
