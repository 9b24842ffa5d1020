-- The words of docs/glossary.md, in columns, tables and stored values.
ALTER TABLE "Order" RENAME COLUMN "facts" TO "revision";
ALTER TABLE "Order" RENAME COLUMN "record" TO "salesRecordStatus";
ALTER TABLE "Order" RENAME COLUMN "leaseBy" TO "leaseHolder";
ALTER TABLE "Order" RENAME COLUMN "leaseUntil" TO "leaseExpiresAt";

ALTER TABLE "InsuredUnit" RENAME COLUMN "unit" TO "unitNumber";
ALTER TABLE "InsuredUnit" RENAME COLUMN "answered" TO "responded";
UPDATE "InsuredUnit" SET reason = 'manual_cancellation' WHERE reason = 'cancel_by_hand';

ALTER TABLE "UnitHistory" RENAME COLUMN "unit" TO "unitNumber";
UPDATE "UnitHistory" AS history SET cause = renamed.after
FROM (VALUES ('ask', 'send'), ('refuse', 'refused'), ('put_off', 'deferred'), ('lose_answer', 'response_lost'),
  ('abandon', 'worker_lost'), ('doubt', 'possible_match'), ('find', 'found'), ('miss', 'not_found'),
  ('drop', 'withdrawn'), ('hand_over', 'needs_attention')) AS renamed(before, after)
WHERE history.cause = renamed.before;
UPDATE "UnitHistory" SET note = 'manual_cancellation' WHERE note = 'cancel_by_hand';

ALTER TABLE "Task" RENAME COLUMN "unit" TO "unitNumber";
UPDATE "Task" SET kind = 'manual_cancellation', key = 'manual_cancellation' || substr(key, length('cancel_by_hand') + 1)
WHERE kind = 'cancel_by_hand';
UPDATE "Task" SET outcome = 'obsolete' WHERE outcome = 'gone';
UPDATE "Task" SET details = (details - 'words') || jsonb_build_object('serviceMessage', details->'words')
WHERE details ? 'words';

ALTER TABLE "OrderSweep" RENAME TO "ReconciliationRun";
ALTER TABLE "ReconciliationRun" RENAME CONSTRAINT "OrderSweep_pkey" TO "ReconciliationRun_pkey";
ALTER INDEX "OrderSweep_shop_kind_createdAt_idx" RENAME TO "ReconciliationRun_shop_kind_createdAt_idx";
UPDATE "ReconciliationRun" SET kind = 'manual' WHERE kind = 'asked';
