-- What is counted: requests, as src/db/words.ts has them. A refusal of the rate limit says nothing of how long answers take.
DROP TRIGGER svc_audit_counted;
--> statement-breakpoint
CREATE TRIGGER svc_audit_counted AFTER INSERT ON svc_audit WHEN ((new.protocol is not null or new.route = 'unknown') and new.method not in ('CLI', 'LIFE') or new.action = 'refuse-credential')
BEGIN
  insert into svc_audit_counts (span, since, account, protocol, action, outcome, error, count)
    select span, new.time / (span * 1000) * span, new.account, coalesce(new.protocol, ''), coalesce(new.action, ''),
      case when new.status = 0 then 'open' when new.status < 400 then 'ok' when new.status < 500 then 'refused' else 'failed' end,
      coalesce(new.error, ''), new.count
    from (select 60 as span union all select 3600) where ((new.protocol is not null or new.route = 'unknown') and new.method not in ('CLI', 'LIFE') or new.action = 'refuse-credential')
    on conflict do update set count = count + excluded.count;
  insert into svc_audit_latencies (span, since, account, bucket, count)
    select span, new.time / (span * 1000) * span, new.account,
      (new.duration_ms >= 1) + (new.duration_ms >= 2) + (new.duration_ms >= 3) + (new.duration_ms >= 5) + (new.duration_ms >= 8) + (new.duration_ms >= 12) + (new.duration_ms >= 20) + (new.duration_ms >= 30) + (new.duration_ms >= 50) + (new.duration_ms >= 80) + (new.duration_ms >= 120) + (new.duration_ms >= 200) + (new.duration_ms >= 300) + (new.duration_ms >= 500) + (new.duration_ms >= 800) + (new.duration_ms >= 1200) + (new.duration_ms >= 2000) + (new.duration_ms >= 3000) + (new.duration_ms >= 5000) + (new.duration_ms >= 8000) + (new.duration_ms >= 12000),
      new.count
    from (select 60 as span union all select 3600) where (new.protocol is not null or new.route = 'unknown') and new.method not in ('CLI', 'LIFE') and new.status > 0 and coalesce(new.error, '') <> 'RATE_LIMITED'
    on conflict do update set count = count + excluded.count;
END;
--> statement-breakpoint
DROP TRIGGER svc_audit_recounted;
--> statement-breakpoint
CREATE TRIGGER svc_audit_recounted AFTER UPDATE ON svc_audit WHEN ((old.protocol is not null or old.route = 'unknown') and old.method not in ('CLI', 'LIFE') or old.action = 'refuse-credential') OR ((new.protocol is not null or new.route = 'unknown') and new.method not in ('CLI', 'LIFE') or new.action = 'refuse-credential')
BEGIN
  insert into svc_audit_counts (span, since, account, protocol, action, outcome, error, count)
    select span, old.time / (span * 1000) * span, old.account, coalesce(old.protocol, ''), coalesce(old.action, ''),
      case when old.status = 0 then 'open' when old.status < 400 then 'ok' when old.status < 500 then 'refused' else 'failed' end,
      coalesce(old.error, ''), -old.count
    from (select 60 as span union all select 3600) where ((old.protocol is not null or old.route = 'unknown') and old.method not in ('CLI', 'LIFE') or old.action = 'refuse-credential')
    on conflict do update set count = count + excluded.count;
  insert into svc_audit_latencies (span, since, account, bucket, count)
    select span, old.time / (span * 1000) * span, old.account,
      (old.duration_ms >= 1) + (old.duration_ms >= 2) + (old.duration_ms >= 3) + (old.duration_ms >= 5) + (old.duration_ms >= 8) + (old.duration_ms >= 12) + (old.duration_ms >= 20) + (old.duration_ms >= 30) + (old.duration_ms >= 50) + (old.duration_ms >= 80) + (old.duration_ms >= 120) + (old.duration_ms >= 200) + (old.duration_ms >= 300) + (old.duration_ms >= 500) + (old.duration_ms >= 800) + (old.duration_ms >= 1200) + (old.duration_ms >= 2000) + (old.duration_ms >= 3000) + (old.duration_ms >= 5000) + (old.duration_ms >= 8000) + (old.duration_ms >= 12000),
      -old.count
    from (select 60 as span union all select 3600) where (old.protocol is not null or old.route = 'unknown') and old.method not in ('CLI', 'LIFE') and old.status > 0 and coalesce(old.error, '') <> 'RATE_LIMITED'
    on conflict do update set count = count + excluded.count;
  insert into svc_audit_counts (span, since, account, protocol, action, outcome, error, count)
    select span, new.time / (span * 1000) * span, new.account, coalesce(new.protocol, ''), coalesce(new.action, ''),
      case when new.status = 0 then 'open' when new.status < 400 then 'ok' when new.status < 500 then 'refused' else 'failed' end,
      coalesce(new.error, ''), new.count
    from (select 60 as span union all select 3600) where ((new.protocol is not null or new.route = 'unknown') and new.method not in ('CLI', 'LIFE') or new.action = 'refuse-credential')
    on conflict do update set count = count + excluded.count;
  insert into svc_audit_latencies (span, since, account, bucket, count)
    select span, new.time / (span * 1000) * span, new.account,
      (new.duration_ms >= 1) + (new.duration_ms >= 2) + (new.duration_ms >= 3) + (new.duration_ms >= 5) + (new.duration_ms >= 8) + (new.duration_ms >= 12) + (new.duration_ms >= 20) + (new.duration_ms >= 30) + (new.duration_ms >= 50) + (new.duration_ms >= 80) + (new.duration_ms >= 120) + (new.duration_ms >= 200) + (new.duration_ms >= 300) + (new.duration_ms >= 500) + (new.duration_ms >= 800) + (new.duration_ms >= 1200) + (new.duration_ms >= 2000) + (new.duration_ms >= 3000) + (new.duration_ms >= 5000) + (new.duration_ms >= 8000) + (new.duration_ms >= 12000),
      new.count
    from (select 60 as span union all select 3600) where (new.protocol is not null or new.route = 'unknown') and new.method not in ('CLI', 'LIFE') and new.status > 0 and coalesce(new.error, '') <> 'RATE_LIMITED'
    on conflict do update set count = count + excluded.count;
END;
