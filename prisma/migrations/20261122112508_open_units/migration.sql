-- Few units have no contract yet and few runs have not ended, among all shops' of all time: the metrics count them.
CREATE INDEX "InsuredUnit_open" ON "InsuredUnit" (shop, "orderId") WHERE state IN ('pending', 'creating', 'unknown');
CREATE INDEX "ReconciliationRun_open" ON "ReconciliationRun" (kind) WHERE state IN ('queued', 'running');
