/** Imported before the app: tests do not wait two minutes for a service to make up its mind. */
process.env["INSURANCE_SETTLE_SECONDS"] = "1";
