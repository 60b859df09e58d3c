-- What is counted: requests, as src/db/words.ts has them. A refusal of the rate limit says nothing of how long answers take.
CREATE OR REPLACE FUNCTION svc_audit_count() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into svc_audit_counts as kept (span, since, account, protocol, action, outcome, error, shard, count)
    select span, floor(extract(epoch from time) / span)::bigint * span, account, coalesce(protocol, ''), coalesce(action, ''),
      case when status = 0 then 'open' when status < 400 then 'ok' when status < 500 then 'refused' else 'failed' end,
      coalesce(error, ''), pg_backend_pid() % 8, sum(sign * count)
    from (select 1 as sign, fresh.* from fresh) as rows cross join (values (60), (3600)) as spans (span)
    where (protocol is not null or route = 'unknown') and method not in ('CLI', 'LIFE') or action = 'refuse-credential'
    group by 1, 2, 3, 4, 5, 6, 7 having sum(sign * count) <> 0 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (span, since, account, protocol, action, outcome, error, shard) do update set count = kept.count + excluded.count;
  insert into svc_audit_latencies as kept (span, since, account, bucket, shard, count)
    select span, floor(extract(epoch from time) / span)::bigint * span, account,
      width_bucket(duration_ms, array[1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200, 2000, 3000, 5000, 8000, 12000]::double precision[]), pg_backend_pid() % 8, sum(sign * count)
    from (select 1 as sign, fresh.* from fresh) as rows cross join (values (60), (3600)) as spans (span)
    where (protocol is not null or route = 'unknown') and method not in ('CLI', 'LIFE') and status > 0 and coalesce(error, '') <> 'RATE_LIMITED'
    group by 1, 2, 3, 4 having sum(sign * count) <> 0 order by 1, 2, 3, 4
    on conflict (span, since, account, bucket, shard) do update set count = kept.count + excluded.count;
  return null;
end
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION svc_audit_recount() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into svc_audit_counts as kept (span, since, account, protocol, action, outcome, error, shard, count)
    select span, floor(extract(epoch from time) / span)::bigint * span, account, coalesce(protocol, ''), coalesce(action, ''),
      case when status = 0 then 'open' when status < 400 then 'ok' when status < 500 then 'refused' else 'failed' end,
      coalesce(error, ''), pg_backend_pid() % 8, sum(sign * count)
    from (select 1 as sign, fresh.* from fresh union all select -1, stale.* from stale) as rows cross join (values (60), (3600)) as spans (span)
    where (protocol is not null or route = 'unknown') and method not in ('CLI', 'LIFE') or action = 'refuse-credential'
    group by 1, 2, 3, 4, 5, 6, 7 having sum(sign * count) <> 0 order by 1, 2, 3, 4, 5, 6, 7
    on conflict (span, since, account, protocol, action, outcome, error, shard) do update set count = kept.count + excluded.count;
  insert into svc_audit_latencies as kept (span, since, account, bucket, shard, count)
    select span, floor(extract(epoch from time) / span)::bigint * span, account,
      width_bucket(duration_ms, array[1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800, 1200, 2000, 3000, 5000, 8000, 12000]::double precision[]), pg_backend_pid() % 8, sum(sign * count)
    from (select 1 as sign, fresh.* from fresh union all select -1, stale.* from stale) as rows cross join (values (60), (3600)) as spans (span)
    where (protocol is not null or route = 'unknown') and method not in ('CLI', 'LIFE') and status > 0 and coalesce(error, '') <> 'RATE_LIMITED'
    group by 1, 2, 3, 4 having sum(sign * count) <> 0 order by 1, 2, 3, 4
    on conflict (span, since, account, bucket, shard) do update set count = kept.count + excluded.count;
  return null;
end
$$;
