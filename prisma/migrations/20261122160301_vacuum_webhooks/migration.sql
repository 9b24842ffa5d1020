-- Every event is emptied once and deleted once: a fifth of two years of them, which is when PostgreSQL would clean up by itself, is five months.
ALTER TABLE "InboxEvent" SET (autovacuum_vacuum_scale_factor = 0.02);
