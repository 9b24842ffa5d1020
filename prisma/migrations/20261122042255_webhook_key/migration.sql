-- A webhook is one by shop, topic and webhook id; the event id is shared by all webhooks of one action. What is stored
-- already keeps its id, so that tasks and jobs still find it.
ALTER TABLE "InboxEvent" ADD COLUMN "id" TEXT;
UPDATE "InboxEvent" SET "id" = "eventId";
ALTER TABLE "InboxEvent" DROP CONSTRAINT "InboxEvent_pkey";
ALTER TABLE "InboxEvent" ALTER COLUMN "id" SET NOT NULL, ADD CONSTRAINT "InboxEvent_pkey" PRIMARY KEY ("shop","id");

UPDATE "Task" SET details = details - 'eventId' || jsonb_build_object('inboxId', details->'eventId')
WHERE kind = 'unreadable_event';

DO $$ BEGIN
  IF to_regclass('pgboss.job') IS NOT NULL THEN
    UPDATE pgboss.job SET data = data - 'eventId' || jsonb_build_object('inboxId', data->'eventId')
    WHERE data ? 'eventId';
  END IF;
END $$;
