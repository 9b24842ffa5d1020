/** Product pictures: simple SVG silhouettes by kind of product and colour. */
import { Hono } from "hono";

const kinds: Record<string, string> = {
  Smartphone: "phone",
  "Ordinateur portable": "laptop",
  "Ordinateur de bureau": "desktop",
  "Appareil photo": "camera",
  Caméra: "action",
  Tablette: "tablet",
  "Casque audio": "headphones",
  Enceinte: "speaker",
  Téléviseur: "tv",
  Console: "console",
  "Montre connectée": "watch",
  Accessoire: "accessory",
  "Carte cadeau": "gift",
  Laptop: "laptop",
  "Desktop computer": "desktop",
  Camera: "camera",
  "Action camera": "action",
  Tablet: "tablet",
  Headphones: "headphones",
  Speaker: "speaker",
  Television: "tv",
  Smartwatch: "watch",
  Accessory: "accessory",
  "Gift card": "gift",
};

/** background, body, detail */
const palettes = [
  ["#eef2f7", "#2b3a4e", "#7ea4d6"],
  ["#f6efe8", "#5a4636", "#d8a26e"],
  ["#eaf4ef", "#2e4d41", "#7fc3a0"],
  ["#f3eef7", "#43375b", "#b096d8"],
  ["#fbeeee", "#5b2f33", "#e08a8f"],
  ["#eef6f8", "#254a54", "#74bccb"],
] as const;

/** Root-relative, as in the shop's state. */
export function imageUrl(productType: string, number: number): string {
  return `/cdn/seed/${kinds[productType] ?? "accessory"}-${number % palettes.length}.svg`;
}

type Draw = (body: string, detail: string) => string;
const drawings: Record<string, Draw> = {
  phone: (body, detail) =>
    `<rect x="380" y="190" width="240" height="500" rx="38" fill="${body}"/><rect x="396" y="208" width="208" height="464" rx="24" fill="url(#screen)"/><rect x="466" y="222" width="68" height="16" rx="8" fill="${body}"/><circle cx="500" cy="440" r="56" fill="${detail}" opacity=".55"/>`,
  tablet: (body, detail) =>
    `<rect x="250" y="260" width="500" height="370" rx="34" fill="${body}"/><rect x="270" y="280" width="460" height="330" rx="18" fill="url(#screen)"/><path d="M330 560l110-130 80 90 60-60 90 100z" fill="${detail}" opacity=".6"/>`,
  laptop: (body, detail) =>
    `<rect x="270" y="260" width="460" height="310" rx="22" fill="${body}"/><rect x="288" y="278" width="424" height="264" rx="10" fill="url(#screen)"/><path d="M190 590h620l-34 44a22 22 0 0 1-18 8H242a22 22 0 0 1-18-8z" fill="${body}"/><rect x="440" y="590" width="120" height="14" rx="7" fill="${detail}"/>`,
  desktop: (body, detail) =>
    `<rect x="360" y="220" width="280" height="460" rx="24" fill="${body}"/><circle cx="500" cy="360" r="84" fill="url(#screen)"/><circle cx="500" cy="360" r="46" fill="${detail}" opacity=".6"/><rect x="410" y="520" width="180" height="10" rx="5" fill="${detail}"/><rect x="410" y="550" width="180" height="10" rx="5" fill="${detail}" opacity=".6"/>`,
  camera: (body, detail) =>
    `<path d="M400 300l34-50h132l34 50z" fill="${body}"/><rect x="230" y="300" width="540" height="330" rx="36" fill="${body}"/><circle cx="500" cy="465" r="128" fill="${detail}" opacity=".35"/><circle cx="500" cy="465" r="100" fill="url(#screen)"/><circle cx="500" cy="465" r="48" fill="${body}"/><rect x="274" y="336" width="80" height="40" rx="10" fill="${detail}"/>`,
  action: (body, detail) =>
    `<rect x="320" y="300" width="360" height="320" rx="44" fill="${body}"/><circle cx="560" cy="430" r="86" fill="url(#screen)"/><circle cx="560" cy="430" r="42" fill="${detail}"/><rect x="356" y="540" width="150" height="44" rx="12" fill="${detail}" opacity=".7"/>`,
  headphones: (body, detail) =>
    `<path d="M300 540V450a200 200 0 0 1 400 0v90" fill="none" stroke="${body}" stroke-width="40"/><rect x="250" y="480" width="110" height="190" rx="50" fill="${body}"/><rect x="640" y="480" width="110" height="190" rx="50" fill="${body}"/><rect x="330" y="500" width="40" height="150" rx="20" fill="${detail}"/><rect x="630" y="500" width="40" height="150" rx="20" fill="${detail}"/>`,
  speaker: (body, detail) =>
    `<rect x="340" y="230" width="320" height="440" rx="120" fill="${body}"/><circle cx="500" cy="540" r="96" fill="url(#screen)"/><circle cx="500" cy="540" r="40" fill="${detail}"/><circle cx="500" cy="340" r="46" fill="${detail}" opacity=".6"/>`,
  tv: (body, detail) =>
    `<rect x="170" y="260" width="660" height="380" rx="18" fill="${body}"/><rect x="186" y="276" width="628" height="340" rx="8" fill="url(#screen)"/><path d="M186 560c160-120 240 40 380-60 90-64 160-40 248-20v136H186z" fill="${detail}" opacity=".5"/><rect x="420" y="640" width="160" height="22" fill="${body}"/><rect x="360" y="660" width="280" height="18" rx="9" fill="${body}"/>`,
  console: (body, detail) =>
    `<rect x="220" y="370" width="560" height="240" rx="110" fill="${body}"/><rect x="380" y="398" width="240" height="184" rx="14" fill="url(#screen)"/><circle cx="304" cy="460" r="30" fill="${detail}"/><circle cx="696" cy="450" r="16" fill="${detail}"/><circle cx="696" cy="510" r="16" fill="${detail}"/><circle cx="664" cy="480" r="16" fill="${detail}" opacity=".7"/><circle cx="728" cy="480" r="16" fill="${detail}" opacity=".7"/>`,
  watch: (body, detail) =>
    `<rect x="430" y="180" width="140" height="540" rx="40" fill="${detail}" opacity=".7"/><rect x="380" y="320" width="240" height="270" rx="66" fill="${body}"/><rect x="402" y="342" width="196" height="226" rx="48" fill="url(#screen)"/><path d="M500 400v60l44 26" fill="none" stroke="${body}" stroke-width="14" stroke-linecap="round"/>`,
  accessory: (body, detail) =>
    `<rect x="380" y="330" width="240" height="300" rx="40" fill="${body}"/><rect x="430" y="270" width="30" height="70" rx="8" fill="${detail}"/><rect x="540" y="270" width="30" height="70" rx="8" fill="${detail}"/><path d="M516 400l-60 100h50l-22 80 70-108h-52z" fill="url(#screen)"/>`,
  gift: (body, detail) =>
    `<rect x="230" y="310" width="540" height="330" rx="28" fill="${body}"/><rect x="230" y="440" width="540" height="44" fill="${detail}"/><rect x="420" y="310" width="44" height="330" fill="${detail}"/><path d="M442 300c-70-90 20-120 0 0 30-110 90-60 0 0z" fill="none" stroke="${detail}" stroke-width="16"/>`,
};

function svg(kind: string, palette: number): string | null {
  const draw = drawings[kind];
  const colours = palettes[palette];
  if (draw === undefined || colours === undefined) return null;
  const [ground, body, detail] = colours;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000" role="img"><defs><linearGradient id="screen" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#ffffff"/><stop offset="1" stop-color="${detail}"/></linearGradient></defs><rect width="1000" height="1000" fill="${ground}"/><ellipse cx="500" cy="740" rx="300" ry="30" fill="${body}" opacity=".12"/><g transform="translate(0 30)">${draw(body, detail)}</g></svg>`;
}

/** `GET /cdn/seed/phone-2.svg` */
export function productImages(): Hono {
  const app = new Hono();
  app.get("/cdn/seed/:name{[a-z]+-[0-9]+\\.svg}", (c) => {
    const [kind = "", number = ""] = c.req.param("name").replace(".svg", "").split("-");
    const image = svg(kind, Number(number));
    if (image === null) return c.text("Not found", 404);
    return c.body(image, 200, {
      "content-type": "image/svg+xml",
      "cache-control": "public, max-age=31536000, immutable",
    });
  });
  return app;
}
