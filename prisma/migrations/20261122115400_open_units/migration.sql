-- Few units have no contract yet, among all shops' of all time: the metrics count them.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "InsuredUnit_open" ON "InsuredUnit" (shop, "orderId") WHERE state IN ('pending', 'creating', 'unknown');
