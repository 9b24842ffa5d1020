import { useTranslation } from "react-i18next";
import type { PreviewWords } from "./preview-words.ts";
import styles from "./preview.module.css";

/** A cart with one product that has no insurance yet, as a page or in the drawer. */
export function CartPreview({ words, drawer }: { words: PreviewWords; drawer: boolean }) {
  const { t } = useTranslation("touchpoints");
  return (
    <div className={drawer ? styles.drawer : styles.column}>
      <div className={`${styles.row} ${styles.start}`}>
        <div className={styles.thumbnail} />
        <strong>{t("preview.product")}</strong>
      </div>
      <div className={styles.offer}>
        <strong>{words.cartHeading}</strong>
        {words.offers.map(({ term, price }) => (
          <div key={term + price} className={styles.row}>
            <span>
              {term} <b>{price}</b>
            </span>
            <span className={styles.secondary}>{words.cartButton}</span>
          </div>
        ))}
        <small>
          {words.consent} <span className={styles.link}>{t("preview.ipid")}</span>{" "}
          <span className={styles.link}>{t("preview.conditions")}</span>
        </small>
      </div>
    </div>
  );
}
