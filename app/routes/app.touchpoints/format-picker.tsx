import { useTranslation } from "react-i18next";
import { productFormats } from "#app/offers/storefront-choices.ts";
import type { StorefrontSettings } from "#app/offers/storefront-settings.ts";
import styles from "./format-picker.module.css";

type Format = StorefrontSettings["touchpoints"]["product_page"]["format"];
type Box = [x: number, y: number, width: number, height: number];

/** Where the insurance is on a product page of 72 by 54, in boxes. */
const boxes: Record<Format, Box[]> = {
  radio: [
    [38, 22, 28, 4],
    [38, 28, 28, 4],
    [38, 34, 28, 4],
  ],
  checkbox: [
    [38, 28, 5, 5],
    [45, 28, 21, 5],
  ],
  banner: [[38, 26, 28, 10]],
  section: [[6, 40, 60, 12]],
  tabs: [
    [38, 26, 8.5, 10],
    [48, 26, 8.5, 10],
    [58, 26, 8.5, 10],
  ],
  modal: [[20, 12, 32, 30]],
  floating: [[44, 44, 24, 7]],
  sticky: [[1, 45, 70, 8]],
};

interface Props {
  value: Format;
  onChange: (format: Format) => void;
}

/** The formats as pictures: the merchant sees where each one is on the page. */
export function FormatPicker({ value, onChange }: Props) {
  const { t } = useTranslation("touchpoints");
  return (
    <fieldset className={styles.formats}>
      <legend>{t("format.label")}</legend>
      {productFormats.map((format) => (
        <label key={format} className={styles.format}>
          <input
            type="radio"
            name="format"
            value={format}
            checked={value === format}
            onChange={() => onChange(format)}
          />
          <svg viewBox="0 0 72 54" aria-hidden="true">
            <rect x="1" y="1" width="70" height="52" rx="4" className={styles.page} />
            <rect x="6" y="6" width="26" height="30" rx="2" className={styles.content} />
            <rect x="38" y="6" width="28" height="3" rx="1" className={styles.content} />
            <rect x="38" y="12" width="16" height="3" rx="1" className={styles.content} />
            {format === "modal" && (
              <rect x="1" y="1" width="70" height="52" rx="4" className={styles.shade} />
            )}
            {boxes[format].map(([x, y, width, height]) => (
              <rect key={x + y} x={x} y={y} width={width} height={height} rx="1.5" className={styles.offer} />
            ))}
          </svg>
          <span>{t(`format.${format}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}
