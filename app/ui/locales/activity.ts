export const en = {};

export const fr: typeof en = {};
