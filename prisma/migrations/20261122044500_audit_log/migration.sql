-- The history of what was done with the app becomes an audit log: who did it, and what was there before and after.
ALTER TABLE "Activity" RENAME TO "AuditEntry";
ALTER TABLE "AuditEntry" RENAME CONSTRAINT "Activity_pkey" TO "AuditEntry_pkey";
ALTER INDEX "Activity_shop_at_id_idx" RENAME TO "AuditEntry_shop_at_id_idx";
ALTER TABLE "AuditEntry" RENAME COLUMN kind TO action;
-- Nobody noted who did what is there already.
ALTER TABLE "AuditEntry" ADD COLUMN "actorKind" TEXT NOT NULL DEFAULT 'unknown';
ALTER TABLE "AuditEntry" ADD COLUMN "actorId" TEXT NOT NULL DEFAULT '';
ALTER TABLE "AuditEntry" ALTER COLUMN "actorKind" DROP DEFAULT;
ALTER TABLE "AuditEntry" ALTER COLUMN "actorId" DROP DEFAULT;
ALTER TABLE "AuditEntry" ADD COLUMN before JSONB;
ALTER TABLE "AuditEntry" ADD COLUMN after JSONB;
ALTER TABLE "AuditEntry" ADD COLUMN "accessHour" TIMESTAMPTZ(3);

CREATE INDEX "AuditEntry_shop_action_at_id_idx" ON "AuditEntry" (shop, action, at, id);
CREATE INDEX "AuditEntry_shop_actorId_at_id_idx" ON "AuditEntry" (shop, "actorId", at, id);
CREATE UNIQUE INDEX "AuditEntry_shop_actorId_action_subject_accessHour_key"
  ON "AuditEntry" (shop, "actorId", action, subject, "accessHour");

CREATE TABLE "StaffMember" (
  shop TEXT NOT NULL,
  "staffId" TEXT NOT NULL,
  name TEXT,
  "askedAt" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "StaffMember_pkey" PRIMARY KEY (shop, "staffId")
);

-- Rows are added and never changed. They are deleted only by a transaction that says whose rows it deletes: the erasure
-- of a shop, and the end of the time for which entries are kept.
CREATE FUNCTION refuse_history_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF current_setting('parasol.erased_shop', true) = OLD.shop THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER "AuditEntry_append_only" BEFORE UPDATE OR DELETE ON "AuditEntry"
  FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER "AuditEntry_not_truncated" BEFORE TRUNCATE ON "AuditEntry"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_history_change();
CREATE TRIGGER "UnitHistory_append_only" BEFORE UPDATE OR DELETE ON "UnitHistory"
  FOR EACH ROW EXECUTE FUNCTION refuse_history_change();
