import { useTranslation } from "react-i18next";
import type { Category } from "#app/insurance/categories.ts";
import { isLink } from "#app/catalogue/references/reference.ts";
import styles from "./offer-dialog-preview.module.css";

/**
 * The dialog that shoppers open, with the category's own texts. A picture of it: nothing in it can be pressed. Nothing
 * where the service gives none.
 */
export function OfferDialogPreview({ category }: { category: Category }) {
  const { t } = useTranslation("products");
  const { modal } = category.marketing;
  const isEmpty = Object.values(modal).every((given) => given.length === 0);
  if (isEmpty) return null;
  return (
    <figure className={styles.dialog} aria-label={t("categories.dialog", { category: category.id })}>
      {(isLink(modal.merchantLogoUrl) || isLink(modal.imageUrl)) && (
        <div className={styles.pictures}>
          {isLink(modal.imageUrl) && <img src={modal.imageUrl} alt="" loading="lazy" />}
          {isLink(modal.merchantLogoUrl) && <img src={modal.merchantLogoUrl} alt="" loading="lazy" />}
        </div>
      )}
      <strong>{modal.headline}</strong>
      {modal.bulletsHeading !== "" && <span>{modal.bulletsHeading}</span>}
      {modal.bulletPoints.length > 0 && (
        <ul>
          {modal.bulletPoints.map((bullet, index) => (
            <li key={index}>{bullet}</li>
          ))}
        </ul>
      )}
      {modal.legalText !== "" && <small>{modal.legalText}</small>}
      <div className={styles.buttons}>
        {modal.buyText !== "" && <span className={styles.primary}>{modal.buyText}</span>}
        {modal.declineText !== "" && <span className={styles.secondary}>{modal.declineText}</span>}
      </div>
    </figure>
  );
}
