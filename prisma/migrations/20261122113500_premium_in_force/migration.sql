-- Premiums count contracts in force alone, no longer what the service refused or what waits for a person: every daily
-- sum is counted again, as after an installation (docs/decisions/0009-attachment-daily-sums.md).
DELETE FROM "AttachmentSettings";
