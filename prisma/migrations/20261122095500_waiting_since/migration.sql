-- Times with their zone, as everywhere: raw statements write them in the session's.
ALTER TABLE "AccountPause" ALTER COLUMN "since" TYPE TIMESTAMPTZ(3) USING "since" AT TIME ZONE 'UTC';
ALTER TABLE "WaitingOrder" ALTER COLUMN "since" TYPE TIMESTAMPTZ(3) USING "since" AT TIME ZONE 'UTC';
