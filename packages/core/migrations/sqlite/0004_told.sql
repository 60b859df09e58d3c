CREATE TABLE `svc_audit_counts` (
	`span` integer NOT NULL,
	`since` integer NOT NULL,
	`account` text NOT NULL,
	`protocol` text NOT NULL,
	`action` text NOT NULL,
	`outcome` text NOT NULL,
	`error` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`span`, `since`, `account`, `protocol`, `action`, `outcome`, `error`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `svc_audit_latencies` (
	`span` integer NOT NULL,
	`since` integer NOT NULL,
	`account` text NOT NULL,
	`bucket` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`span`, `since`, `account`, `bucket`)
) WITHOUT ROWID;
--> statement-breakpoint
DROP INDEX `svc_audit_time`;--> statement-breakpoint
DROP INDEX `svc_audit_account`;--> statement-breakpoint
DROP INDEX `svc_audit_unsigned`;--> statement-breakpoint
ALTER TABLE `svc_audit` ADD `protocol` text;--> statement-breakpoint
ALTER TABLE `svc_audit` ADD `wallet` text;--> statement-breakpoint
ALTER TABLE `svc_audit` ADD `sentence` text;--> statement-breakpoint
ALTER TABLE `svc_audit` ADD `moves` text;--> statement-breakpoint
CREATE INDEX `svc_audit_identity` ON `svc_audit` (`identity`,`time`,`id`) WHERE "svc_audit"."identity" is not null;--> statement-breakpoint
CREATE INDEX `svc_audit_wallet` ON `svc_audit` (lower("wallet"),`time`,`id`) WHERE "svc_audit"."wallet" is not null;--> statement-breakpoint
CREATE INDEX `svc_audit_error` ON `svc_audit` (`error`,`time`,`id`) WHERE "svc_audit"."error" is not null;--> statement-breakpoint
CREATE INDEX `svc_audit_time` ON `svc_audit` (`time`,`id`,`account`,`protocol`,`network`,`action`,`status`,`error`);--> statement-breakpoint
CREATE INDEX `svc_audit_account` ON `svc_audit` (`account`,`time`,`id`,`protocol`,`network`,`action`,`status`,`error`);--> statement-breakpoint
CREATE INDEX `svc_audit_unsigned` ON `svc_audit` (`unsigned_hash`,`time`,`id`) WHERE "svc_audit"."unsigned_hash" is not null;--> statement-breakpoint
CREATE INDEX `svc_credentials_state` ON `svc_credentials` (`kind`,`account`,`active`,`expiration_date`);--> statement-breakpoint
CREATE TRIGGER svc_audit_counted AFTER INSERT ON svc_audit WHEN (new.protocol is not null or new.action = 'refuse-credential')
BEGIN
  insert into svc_audit_counts (span, since, account, protocol, action, outcome, error, count)
    select span, new.time / (span * 1000) * span, new.account, coalesce(new.protocol, ''), coalesce(new.action, ''),
      case when new.status = 0 then 'open' when new.status < 400 then 'ok' when new.status < 500 then 'refused' else 'failed' end,
      coalesce(new.error, ''), new.count
    from (select 60 as span union all select 3600) where (new.protocol is not null or new.action = 'refuse-credential')
    on conflict do update set count = count + excluded.count;
  insert into svc_audit_latencies (span, since, account, bucket, count)
    select span, new.time / (span * 1000) * span, new.account,
      (new.duration_ms >= 1) + (new.duration_ms >= 2) + (new.duration_ms >= 3) + (new.duration_ms >= 5) + (new.duration_ms >= 8) + (new.duration_ms >= 12) + (new.duration_ms >= 20) + (new.duration_ms >= 30) + (new.duration_ms >= 50) + (new.duration_ms >= 80) + (new.duration_ms >= 120) + (new.duration_ms >= 200) + (new.duration_ms >= 300) + (new.duration_ms >= 500) + (new.duration_ms >= 800) + (new.duration_ms >= 1200) + (new.duration_ms >= 2000) + (new.duration_ms >= 3000) + (new.duration_ms >= 5000) + (new.duration_ms >= 8000) + (new.duration_ms >= 12000),
      new.count
    from (select 60 as span union all select 3600) where new.protocol is not null and new.status > 0
    on conflict do update set count = count + excluded.count;
END;
--> statement-breakpoint

CREATE TRIGGER svc_audit_recounted AFTER UPDATE ON svc_audit WHEN (old.protocol is not null or old.action = 'refuse-credential') OR (new.protocol is not null or new.action = 'refuse-credential')
BEGIN
  insert into svc_audit_counts (span, since, account, protocol, action, outcome, error, count)
    select span, old.time / (span * 1000) * span, old.account, coalesce(old.protocol, ''), coalesce(old.action, ''),
      case when old.status = 0 then 'open' when old.status < 400 then 'ok' when old.status < 500 then 'refused' else 'failed' end,
      coalesce(old.error, ''), -old.count
    from (select 60 as span union all select 3600) where (old.protocol is not null or old.action = 'refuse-credential')
    on conflict do update set count = count + excluded.count;
  insert into svc_audit_latencies (span, since, account, bucket, count)
    select span, old.time / (span * 1000) * span, old.account,
      (old.duration_ms >= 1) + (old.duration_ms >= 2) + (old.duration_ms >= 3) + (old.duration_ms >= 5) + (old.duration_ms >= 8) + (old.duration_ms >= 12) + (old.duration_ms >= 20) + (old.duration_ms >= 30) + (old.duration_ms >= 50) + (old.duration_ms >= 80) + (old.duration_ms >= 120) + (old.duration_ms >= 200) + (old.duration_ms >= 300) + (old.duration_ms >= 500) + (old.duration_ms >= 800) + (old.duration_ms >= 1200) + (old.duration_ms >= 2000) + (old.duration_ms >= 3000) + (old.duration_ms >= 5000) + (old.duration_ms >= 8000) + (old.duration_ms >= 12000),
      -old.count
    from (select 60 as span union all select 3600) where old.protocol is not null and old.status > 0
    on conflict do update set count = count + excluded.count;
  insert into svc_audit_counts (span, since, account, protocol, action, outcome, error, count)
    select span, new.time / (span * 1000) * span, new.account, coalesce(new.protocol, ''), coalesce(new.action, ''),
      case when new.status = 0 then 'open' when new.status < 400 then 'ok' when new.status < 500 then 'refused' else 'failed' end,
      coalesce(new.error, ''), new.count
    from (select 60 as span union all select 3600) where (new.protocol is not null or new.action = 'refuse-credential')
    on conflict do update set count = count + excluded.count;
  insert into svc_audit_latencies (span, since, account, bucket, count)
    select span, new.time / (span * 1000) * span, new.account,
      (new.duration_ms >= 1) + (new.duration_ms >= 2) + (new.duration_ms >= 3) + (new.duration_ms >= 5) + (new.duration_ms >= 8) + (new.duration_ms >= 12) + (new.duration_ms >= 20) + (new.duration_ms >= 30) + (new.duration_ms >= 50) + (new.duration_ms >= 80) + (new.duration_ms >= 120) + (new.duration_ms >= 200) + (new.duration_ms >= 300) + (new.duration_ms >= 500) + (new.duration_ms >= 800) + (new.duration_ms >= 1200) + (new.duration_ms >= 2000) + (new.duration_ms >= 3000) + (new.duration_ms >= 5000) + (new.duration_ms >= 8000) + (new.duration_ms >= 12000),
      new.count
    from (select 60 as span union all select 3600) where new.protocol is not null and new.status > 0
    on conflict do update set count = count + excluded.count;
END;
