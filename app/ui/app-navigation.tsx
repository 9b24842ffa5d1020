import { Link } from "@remix-run/react";
import { NavMenu } from "@shopify/app-bridge-react";
import { useTranslation } from "react-i18next";

const pages = [
  ["/app/orders", "orders"],
  ["/app/tasks", "tasks"],
  ["/app/catalogue", "catalogue"],
  ["/app/products", "products"],
  ["/app/touchpoints", "touchpoints"],
  ["/app/claims", "claims"],
  ["/app/leads", "leads"],
  ["/app/analytics", "analytics"],
  ["/app/activity", "activity"],
  ["/app/jobs", "jobs"],
  ["/app/connection", "connection"],
  ["/app/settings", "settings"],
] as const;

/** The app's entries in the admin's own navigation, which App Bridge shows. */
export function AppNavigation() {
  const { t } = useTranslation();
  return (
    <NavMenu>
      <Link to="/app" rel="home">
        {t("nav.home")}
      </Link>
      {pages.map(([address, name]) => (
        <Link key={address} to={address}>
          {t(`nav.${name}`)}
        </Link>
      ))}
    </NavMenu>
  );
}
