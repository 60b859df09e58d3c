CREATE TABLE "svc_audit_counts" (
	"span" integer NOT NULL,
	"since" bigint NOT NULL,
	"account" text NOT NULL,
	"protocol" text NOT NULL,
	"action" text NOT NULL,
	"outcome" text NOT NULL,
	"error" text NOT NULL,
	"shard" integer NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "svc_audit_counts_pk" PRIMARY KEY("span","since","account","protocol","action","outcome","error","shard")
);
--> statement-breakpoint
CREATE TABLE "svc_audit_latencies" (
	"span" integer NOT NULL,
	"since" bigint NOT NULL,
	"account" text NOT NULL,
	"bucket" integer NOT NULL,
	"shard" integer NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "svc_audit_latencies_pk" PRIMARY KEY("span","since","account","bucket","shard")
);
--> statement-breakpoint
DROP INDEX "svc_audit_time";--> statement-breakpoint
DROP INDEX "svc_audit_account";--> statement-breakpoint
DROP INDEX "svc_audit_unsigned";--> statement-breakpoint
ALTER TABLE "svc_audit" ADD COLUMN "protocol" text;--> statement-breakpoint
ALTER TABLE "svc_audit" ADD COLUMN "wallet" text;--> statement-breakpoint
ALTER TABLE "svc_audit" ADD COLUMN "sentence" text;--> statement-breakpoint
ALTER TABLE "svc_audit" ADD COLUMN "moves" jsonb;--> statement-breakpoint
CREATE INDEX "svc_audit_identity" ON "svc_audit" USING btree ("identity","time","id") WHERE "svc_audit"."identity" is not null;--> statement-breakpoint
CREATE INDEX "svc_audit_wallet" ON "svc_audit" USING btree (lower("wallet"),"time","id") WHERE "svc_audit"."wallet" is not null;--> statement-breakpoint
CREATE INDEX "svc_audit_error" ON "svc_audit" USING btree ("error","time","id") WHERE "svc_audit"."error" is not null;--> statement-breakpoint
CREATE INDEX "svc_credentials_state" ON "svc_credentials" USING btree ("kind","account","active","expiration_date");--> statement-breakpoint
CREATE INDEX "svc_audit_time" ON "svc_audit" USING btree ("time","id","account","protocol","network","action","status","error");--> statement-breakpoint
CREATE INDEX "svc_audit_account" ON "svc_audit" USING btree ("account","time","id","protocol","network","action","status","error");--> statement-breakpoint
CREATE INDEX "svc_audit_unsigned" ON "svc_audit" USING btree ("unsigned_hash","time","id") WHERE "svc_audit"."unsigned_hash" is not null;--> statement-breakpoint
CREATE FUNCTION svc_audit_count() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into svc_audit_counts as kept (span, since, account, protocol, action, outcome, error, shard, count)
    select span, floor(extract(epoch from time) / span)::bigint * span, account, coalesce(protocol, ''), coalesce(action, ''),
      case when status = 0 then 'open' when status < 400 then 'ok' when status < 500 then 'refused' else 'failed' end,
      coalesce(error, ''), pg_backend_pid() % 8, sum(sign * count)
    from (select 1 as sign, fresh.* from fresh) as rows cross join (values (60), (3600)) as spans (span)
    where protocol is not null or action = 'refuse-credential'
    group by 1, 2, 3, 4, 5, 6, 7 having sum(sign * count) <> 0 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (span, since, account, protocol, action, outcome, error, shard) do update set count = kept.count + excluded.count;
  insert into svc_audit_latencies as kept (span, since, account, bucket, shard, count)
    select span, floor(extract(epoch from time) / span)::bigint * span, account,
      width_bucket(duration_ms, array[1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200, 2000, 3000, 5000, 8000, 12000]::double precision[]), pg_backend_pid() % 8, sum(sign * count)
    from (select 1 as sign, fresh.* from fresh) as rows cross join (values (60), (3600)) as spans (span)
    where protocol is not null and status > 0
    group by 1, 2, 3, 4 having sum(sign * count) <> 0 order by 1, 2, 3, 4
    on conflict (span, since, account, bucket, shard) do update set count = kept.count + excluded.count;
  return null;
end
$$;
--> statement-breakpoint

CREATE TRIGGER svc_audit_counted AFTER INSERT ON svc_audit REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION svc_audit_count();
--> statement-breakpoint

CREATE FUNCTION svc_audit_recount() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into svc_audit_counts as kept (span, since, account, protocol, action, outcome, error, shard, count)
    select span, floor(extract(epoch from time) / span)::bigint * span, account, coalesce(protocol, ''), coalesce(action, ''),
      case when status = 0 then 'open' when status < 400 then 'ok' when status < 500 then 'refused' else 'failed' end,
      coalesce(error, ''), pg_backend_pid() % 8, sum(sign * count)
    from (select 1 as sign, fresh.* from fresh union all select -1, stale.* from stale) as rows cross join (values (60), (3600)) as spans (span)
    where protocol is not null or action = 'refuse-credential'
    group by 1, 2, 3, 4, 5, 6, 7 having sum(sign * count) <> 0 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (span, since, account, protocol, action, outcome, error, shard) do update set count = kept.count + excluded.count;
  insert into svc_audit_latencies as kept (span, since, account, bucket, shard, count)
    select span, floor(extract(epoch from time) / span)::bigint * span, account,
      width_bucket(duration_ms, array[1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200, 2000, 3000, 5000, 8000, 12000]::double precision[]), pg_backend_pid() % 8, sum(sign * count)
    from (select 1 as sign, fresh.* from fresh union all select -1, stale.* from stale) as rows cross join (values (60), (3600)) as spans (span)
    where protocol is not null and status > 0
    group by 1, 2, 3, 4 having sum(sign * count) <> 0 order by 1, 2, 3, 4
    on conflict (span, since, account, bucket, shard) do update set count = kept.count + excluded.count;
  return null;
end
$$;
--> statement-breakpoint

CREATE TRIGGER svc_audit_recounted AFTER UPDATE ON svc_audit REFERENCING OLD TABLE AS stale NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION svc_audit_recount();
