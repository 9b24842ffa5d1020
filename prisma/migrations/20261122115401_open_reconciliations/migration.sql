-- Few reconciliation runs have not ended: the metrics look for the one that lags most.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "ReconciliationRun_open" ON "ReconciliationRun" (kind) WHERE state IN ('queued', 'running');
