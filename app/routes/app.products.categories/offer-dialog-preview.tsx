import { useTranslation } from "react-i18next";
import type { Category } from "#app/insurance/category.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import styles from "./offer-dialog-preview.module.css";

/**
 * The dialog that shoppers open, with the category's own texts. A picture of it: nothing in it can be pressed. Nothing
 * where the service gives none.
 */
export function OfferDialogPreview({ category }: { category: Category }) {
  const { t } = useTranslation("products");
  const { modal } = category.marketing_data;
  const isEmpty = Object.values(modal).every((given) => given.length === 0);
  if (isEmpty) return null;
  return (
    <figure className={styles.dialog} aria-label={t("categories.dialog", { category: category.id })}>
      {(isLink(modal.merchant_logo) || isLink(modal.image)) && (
        <div className={styles.pictures}>
          {isLink(modal.image) && <img src={modal.image} alt="" loading="lazy" />}
          {isLink(modal.merchant_logo) && <img src={modal.merchant_logo} alt="" loading="lazy" />}
        </div>
      )}
      <strong>{modal.headline}</strong>
      {modal.coverage_bullets_heading !== "" && <span>{modal.coverage_bullets_heading}</span>}
      {modal.bullet_points.length > 0 && (
        <ul>
          {modal.bullet_points.map((bullet, index) => (
            <li key={index}>{bullet}</li>
          ))}
        </ul>
      )}
      {modal.legal_text !== "" && <small>{modal.legal_text}</small>}
      <div className={styles.buttons}>
        {modal.buy_text !== "" && <span className={styles.primary}>{modal.buy_text}</span>}
        {modal.decline_text !== "" && <span className={styles.secondary}>{modal.decline_text}</span>}
      </div>
    </figure>
  );
}
