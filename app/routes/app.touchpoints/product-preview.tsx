import { useTranslation } from "react-i18next";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";
import type { PreviewWords } from "./preview-words.ts";
import styles from "./preview.module.css";

type Format = StorefrontSettings["touchpoints"]["product_page"]["format"];

/** A product page with the offer in its format. */
export function ProductPreview({ words, format }: { words: PreviewWords; format: Format }) {
  const { t } = useTranslation("touchpoints");
  const offer = <Offer words={words} format={format} />;
  return (
    <div className={styles.product}>
      <div className={styles.image} />
      <div className={styles.column}>
        <strong>{t("preview.product")}</strong>
        {format !== "floating" && format !== "sticky" && format !== "modal" && offer}
        <span className={styles.button}>{t("preview.addToCart")}</span>
        {format === "modal" && offer}
      </div>
      {(format === "floating" || format === "sticky") && offer}
    </div>
  );
}

function Offer({ words, format }: { words: PreviewWords; format: Format }) {
  const { t } = useTranslation("touchpoints");
  switch (format) {
    case "banner":
    case "sticky":
      return (
        <div className={format === "sticky" ? styles.sticky : styles.banner}>
          <span>
            <strong>{words.headline}</strong> {words.from}
          </span>
          <span className={styles.secondary}>{t("preview.choose")}</span>
        </div>
      );
    case "floating":
      return (
        <div className={styles.floating}>
          {words.headline} · {words.from}
        </div>
      );
    case "modal":
      return (
        <div className={styles.dialog}>
          <Coverage words={words} heading={words.modalHeadline} />
          <Choices words={words} type="radio" />
          <Legal words={words} />
          <div className={styles.row}>
            <span className={styles.button}>{words.buy}</span>
            <span className={styles.secondary}>{words.decline}</span>
          </div>
        </div>
      );
    case "tabs":
      return (
        <div className={styles.offer}>
          <strong>{words.headline}</strong>
          <div className={styles.row}>
            {words.offers.map(({ term, price }) => (
              <span key={term + price} className={styles.tab}>
                {term}
                <br />
                {price}
              </span>
            ))}
            <span className={styles.tab}>{words.decline}</span>
          </div>
          <Legal words={words} />
        </div>
      );
    case "section":
      return (
        <div className={styles.offer}>
          <Coverage words={words} heading={words.headline} />
          <Choices words={words} type="radio" decline />
          <Legal words={words} />
        </div>
      );
    case "radio":
    case "checkbox":
      return (
        <div className={styles.offer}>
          <div className={styles.row}>
            <strong>{words.headline}</strong>
            <span className={styles.link}>{words.more}</span>
          </div>
          <Choices words={words} type={format} decline={format === "radio"} />
          <Legal words={words} />
        </div>
      );
  }
}

function Choices({
  words,
  type,
  decline = false,
}: {
  words: PreviewWords;
  type: "radio" | "checkbox";
  decline?: boolean;
}) {
  const shown = type === "checkbox" ? words.offers.slice(0, 1) : words.offers;
  return (
    <ul className={styles.choices}>
      {shown.map(({ term, price }) => (
        <li key={term + price}>
          <i className={type === "radio" ? styles.radio : styles.box} /> {term} <b>{price}</b>
        </li>
      ))}
      {decline && (
        <li>
          <i className={styles.radio} /> {words.decline}
        </li>
      )}
    </ul>
  );
}

function Coverage({ words, heading }: { words: PreviewWords; heading: string }) {
  return (
    <>
      <strong>{heading}</strong>
      {words.bulletsHeading !== "" && <span>{words.bulletsHeading}</span>}
      <ul className={styles.bullets}>
        {words.bullets.map((bullet) => (
          <li key={bullet}>{bullet}</li>
        ))}
      </ul>
    </>
  );
}

function Legal({ words }: { words: PreviewWords }) {
  const { t } = useTranslation("touchpoints");
  return (
    <small>
      {words.legal} {words.consent} <span className={styles.link}>{t("preview.ipid")}</span>{" "}
      <span className={styles.link}>{t("preview.conditions")}</span>
    </small>
  );
}
