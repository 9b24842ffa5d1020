import { Link } from "@remix-run/react";
import { NavMenu } from "@shopify/app-bridge-react";
import { useTranslation } from "react-i18next";

/** At most seven; what else there is has a tab on one of these pages (orders-page.tsx, settings-page.tsx). */
const pages = [
  ["/app/orders", "orders"],
  ["/app/tasks", "tasks"],
  ["/app/products", "products"],
  ["/app/catalogue", "catalogue"],
  ["/app/touchpoints", "touchpoints"],
  ["/app/analytics", "analytics"],
  ["/app/settings", "settings"],
] as const;

/** The app's entries in the admin's own navigation, which App Bridge shows. Home is the app's name there. */
export function AppNavigation({ openTasks }: { openTasks: number }) {
  const { t } = useTranslation();
  return (
    <NavMenu>
      <Link to="/app" rel="home">
        {t("nav.home")}
      </Link>
      {pages.map(([address, name]) => (
        <Link key={address} to={address}>
          {name === "tasks" && openTasks > 0 ? t("nav.openTasks", { count: openTasks }) : t(`nav.${name}`)}
        </Link>
      ))}
    </NavMenu>
  );
}
