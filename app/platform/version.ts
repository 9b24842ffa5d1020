import manifest from "../../package.json" with { type: "json" };

/** Of this release, for the log and the operator. */
export const { version } = manifest;
