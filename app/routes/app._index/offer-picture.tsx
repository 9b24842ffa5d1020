import { Icon } from "@shopify/polaris";
import { CheckIcon, ShieldCheckMarkIcon } from "@shopify/polaris-icons";
import { useTranslation } from "react-i18next";
import { useShop } from "#app/ui/shop.tsx";
import styles from "./offer-picture.module.css";

/** Prices of an invented smartphone, in minor units. */
const terms = [
  { months: 12, priceMinor: 4_990 },
  { months: 24, priceMinor: 7_890 },
];

/** What shoppers will see on a product page, drawn: nothing of it can be clicked. */
export function OfferPicture() {
  const { t } = useTranslation("home");
  const { format, currency } = useShop();
  return (
    <figure className={styles.picture}>
      <div role="img" aria-label={t("picture.caption")}>
        <div className={styles.offer} aria-hidden>
          <p className={styles.headline}>
            <Icon source={ShieldCheckMarkIcon} />
            {t("picture.headline")}
          </p>
          <ul className={styles.covers}>
            {(["breakage", "theft", "oxidation"] as const).map((cover) => (
              <li key={cover}>
                <Icon source={CheckIcon} tone="success" />
                {t(`picture.cover.${cover}`)}
              </li>
            ))}
          </ul>
          {terms.map(({ months, priceMinor }) => (
            <p key={months} className={styles.term}>
              <span className={styles.radio} />
              <span className={styles.months}>{t("picture.term", { count: months })}</span>
              <b>{format.money(priceMinor, currency || "EUR")}</b>
            </p>
          ))}
          <p className={styles.button}>{t("picture.button")}</p>
        </div>
      </div>
      <figcaption className={styles.caption}>{t("picture.caption")}</figcaption>
    </figure>
  );
}
