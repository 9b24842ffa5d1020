/** What a merchant reads while another cell takes the shop over: on a page, and where not even the shell can be made. */
export const shopIsMoving = {
  en: {
    title: "Your shop is being moved",
    body: "Its data goes to another server, which takes some minutes. Orders that are paid meanwhile are insured afterwards. Reload the page in a moment.",
  },
  fr: {
    title: "Votre boutique est en cours de déplacement",
    body: "Ses données passent sur un autre serveur, ce qui prend quelques minutes. Les commandes payées entre-temps seront assurées ensuite. Rechargez la page dans un instant.",
  },
};

/** What a merchant reads where the proxy led to a cell that does not have the shop. */
export const shopIsElsewhere = {
  en: {
    title: "Your shop is served elsewhere",
    body: "Its data is on another server of ours, and nothing is lost: orders are insured there as ever. We led you to the wrong one. Please write to our support, with the name of your shop.",
  },
  fr: {
    title: "Votre boutique est gérée ailleurs",
    body: "Ses données sont sur un autre de nos serveurs et rien n’est perdu : les commandes y sont assurées comme toujours. Nous vous avons dirigé vers le mauvais serveur. Écrivez à notre support en indiquant le nom de votre boutique.",
  },
};
