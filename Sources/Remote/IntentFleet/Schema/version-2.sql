-- Version 2 of the fleet's schema, for a database with version 1. Hosts of version 1 continue to work with it: the functions
-- that they call keep their arguments and their results.
--
-- New: runs that undo a run on the host that performed it; errands, which are requests to the host that performed a run for its
-- output and the files of its result; statistics of the server for operators; attempts that a host ends as lost.

set local role fleet_owner;
set local search_path = fleet, pg_temp;
insert into version values (2);

-- The only host that may take a run; null for any host.
alter table run add column host text;

-- Assigns runs to the calling host. See version 1 for the order.
create or replace function take(p_free int)
  returns table (o_run bigint, o_attempt int, o_intent text, o_owner text, o_args jsonb, o_policy text, o_token uuid)
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare
  me node;
  wanted_count int = least(p_free, 256);
begin
  -- Check without a lock first, because a transaction that changes nothing does not wait for the disk.
  select * into me from node n where n.name = session_user;
  if not found or not exists (select from run r where r.state = 'queued' and r.intent = any (me.intents) and (r.host is null or r.host = me.name)) then return; end if;
  -- The lock makes drain and remove_host wait for the end of this transaction.
  select * into me from node n where n.name = session_user and n.seen + n.lease > clock_timestamp() and not n.draining for share;
  if not found or wanted_count is null or wanted_count < 1 then return; end if;
  return query with recursive
    owners as (
      (select r.owner from run r where r.state = 'queued' order by r.owner limit 1) union all
      select (select r.owner from run r where r.state = 'queued' and r.owner > o.owner order by r.owner limit 1)
        from owners o where o.owner is not null),
    live as (select r.owner, count(*) n from run r where r.state = 'running' group by 1),
    ranked as (
      select q.id, q.priority, coalesce(l.n, 0) + row_number() over (partition by o.owner order by q.priority desc, q.id) place
      from owners o left join live l using (owner) cross join lateral (
        select r.id, r.priority from run r where r.state = 'queued' and r.owner = o.owner and r.intent = any (me.intents) and (r.host is null or r.host = me.name)
        order by r.priority desc, r.id limit wanted_count * 2 + 8) q
      where o.owner is not null),
    wanted as materialized (select * from ranked order by place, priority desc, id limit wanted_count * 2 + 8),
    locked as (
      select r.id from wanted w join run r using (id) where r.state = 'queued'
      order by w.place, w.priority desc, w.id limit wanted_count for update of r skip locked)
    update run r set state = 'running', node = me.name, epoch = me.epoch, attempt = r.attempt + 1, started = clock_timestamp(), question = null, answer = null,
      policy = me.offers -> r.intent ->> 'policy',
      tries = case me.offers -> r.intent ->> 'policy' when 'retryable' then greatest(1, least(100, (me.offers -> r.intent ->> 'tries')::int)) else 1 end
    from locked where r.id = locked.id returning r.id, r.attempt, r.intent, r.owner, r.args, r.policy, r.token;
end $$;

-- Commits results. See version 1 for the fence. A host ends an attempt as 'lost' if its launcher exited and the outcome is
-- unknown. Such an attempt ends like an attempt of a lost host.
create or replace function finish(p_ends json) returns table (o_run bigint, o_verdict text)
  language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  if json_typeof(p_ends) is distinct from 'array' or json_array_length(p_ends) > 1000
    or exists (select from json_to_recordset(p_ends) as x (run bigint, attempt int, state text, result jsonb, reason text) where x.run is null or x.attempt is null
      or x.state is null or x.state not in ('done', 'failed', 'cancelled', 'lost') or octet_length(x.result::text) > 65536 or octet_length(x.reason) > 1024) then
    raise 'an end is incomplete or exceeds its limit' using errcode = '22023'; end if;
  return query with
    f as (select distinct on (x.run) x.run, x.attempt, case x.state when 'lost' then 'failed' else x.state end as state, x.result, x.reason, x.state = 'lost' as lost
      from json_to_recordset(p_ends) as x (run bigint, attempt int, state text, result jsonb, reason text) order by x.run, x.attempt desc),
    again as (update run r set state = 'queued', node = null, epoch = null, question = null, answer = null
      from f where f.lost and r.id = f.run and r.attempt = f.attempt and r.node = session_user and r.state = 'running'
        and r.policy = 'retryable' and r.tries > r.attempt and r.cancel is null returning r.id),
    ended as (delete from run r using f where r.id = f.run and r.attempt = f.attempt and r.node = session_user and r.state = 'running'
      and not (f.lost and coalesce(r.policy = 'retryable', false) and r.tries > r.attempt and r.cancel is null) returning r.*),
    kept as (
      insert into history (id, owner, intent, args, state, result, reason, node, attempt, submitted, started)
      select e.id, e.owner, e.intent, e.args, f.state, f.result, f.reason, e.node, e.attempt, e.submitted, e.started from ended e join f on f.run = e.id),
    reported as (delete from progress p using ended e where p.run = e.id)
    select f.run, case when e.id is not null or a.id is not null or exists (select from history h where h.id = f.run and h.attempt = f.attempt
        and h.node = session_user and h.state = f.state and h.reason is not distinct from f.reason)
      then 'committed' else 'stale' end
    from f left join ended e on e.id = f.run left join again a on a.id = f.run;
end $$;

-- Submits a run that undoes an ended run, on the host that performed it, because only that host's intentd has the data to undo it.
-- If the undo fails, a second call submits it again. Otherwise, a second call returns the run that the first call created.
create function undo(p_run bigint) returns table (o_run bigint, o_new boolean)
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare
  h history;
  old receipt;
  made bigint;
  own_key text = 'undo of run ' || p_run;
begin
  select * into h from history x where x.id = p_run and may(x.owner);
  if not found then return; end if;
  if h.node is null or h.result ->> 'run' is null then raise 'no host has performed the run' using errcode = '22023'; end if;
  if not exists (select from node n where n.name = h.node) then
    raise 'the host ''%'', which performed the run, is no longer in the fleet', h.node using errcode = '22023'; end if;
  insert into receipt (owner, key, run, digest) values (h.owner, own_key, 0, sha256(convert_to(own_key, 'UTF8'))) on conflict do nothing;
  if not found then
    select * into old from receipt c where c.owner = h.owner and c.key = own_key for update;
    if not exists (select from history x where x.id = old.run and x.state <> 'done') then
      return query select old.run, false;
      return;
    end if;
  end if;
  perform check_queue(h.owner);
  insert into run (owner, intent, args, host)
    values (h.owner, h.intent, jsonb_build_object('values', '{}'::jsonb, 'undoOf', h.result -> 'run'), h.node) returning id into made;
  update receipt c set run = made where c.owner = h.owner and c.key = own_key;
  return query select made, true;
end $$;

-- Submits an ended run again, once. To repeat an undo, call undo().
alter function retry(bigint) rename to retry_1;
create function retry(p_run bigint) returns table (o_run bigint, o_new boolean)
  language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  if exists (select from history h where h.id = p_run and may(h.owner) and h.args ? 'undoOf') then
    raise 'a run that undoes another run cannot be retried' using errcode = '22023', hint = 'undo the run again'; end if;
  return query select * from retry_1(p_run);
end $$;

-- A request to the host that performs, or has performed, a run. Empty after a crash and after a failover: the requesting host
-- then repeats its request.
create unlogged table errand (id bigint generated always as identity primary key, run bigint not null, owner text not null, attempt int not null,
  host text not null, asker text not null, kind text not null check (kind in ('logs', 'file', 'discard')), number bigint not null,
  local text, collected int not null default 0, at timestamptz not null default clock_timestamp())
  with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index errand_host on errand (host);
create index errand_owner on errand (owner);

-- The parts of an answer that the requesting host has not collected yet, at most 16. Unlogged: they use no WAL, and no space on
-- a standby or in a backup.
create unlogged table parcel (errand bigint not null references errand on delete cascade, number int not null, body bytea not null,
  is_last boolean not null, primary key (errand, number)) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

create function ask_host(p_run bigint, p_kind text, p_number bigint) returns table (o_errand bigint, o_host text)
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare
  r record;
  made bigint;
begin
  if p_kind is null or p_kind not in ('logs', 'file', 'discard') or p_number is null or p_number < 0 then
    raise 'the question is invalid' using errcode = '22023'; end if;
  select x.owner, x.attempt, x.node, null::text as local into r from run x where x.id = p_run and x.state = 'running' and may(x.owner);
  if not found then
    select x.owner, x.attempt, x.node, x.result ->> 'run' as local into r from history x where x.id = p_run and may(x.owner);
    if not found then return; end if;
    if r.local is null or r.node is null then return query select null::bigint, r.node; return; end if;
  end if;
  delete from errand e where e.at < clock_timestamp() - interval '2 min';
  if (select count(*) from errand e where e.owner = r.owner) >= 16 then
    raise '% has too many questions to hosts', r.owner using errcode = '53400'; end if;
  insert into errand (run, owner, attempt, host, asker, kind, number, local)
    values (p_run, r.owner, r.attempt, r.node, session_user, p_kind, p_number, r.local) returning id into made;
  return query select made, r.node;
end $$;

-- The errands for the calling host, with the number of parts of the answer that the requesting host has collected.
create function errands() returns table (o_errand bigint, o_run bigint, o_attempt int, o_owner text, o_kind text, o_number bigint, o_local text, o_asker text, o_collected int)
  language sql stable security definer set search_path = fleet, pg_temp as $$
  select e.id, e.run, e.attempt, e.owner, e.kind, e.number, e.local, e.asker, e.collected from errand e
  where e.host = session_user and e.at > clock_timestamp() - interval '2 min' order by e.id limit 64 $$;

-- Adds a part to an answer, in hexadecimal digits. Returns false if the errand no longer exists, or if the requesting host has
-- stopped collecting.
create function deliver(p_errand bigint, p_number int, p_body text, p_last boolean) returns boolean
  language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  if p_body is null or p_last is null or octet_length(p_body) > 262144 then raise 'a part is missing or too long' using errcode = '22023'; end if;
  update errand e set at = clock_timestamp() where e.id = p_errand and e.host = session_user
    and p_number >= e.collected and p_number < e.collected + 16;
  if not found then return false; end if;
  insert into parcel values (p_errand, p_number, decode(p_body, 'hex'), p_last) on conflict do nothing;
  return true;
end $$;

-- Removes the parts before a number, and returns the following parts. Returns no row if the errand no longer exists.
create function collect(p_errand bigint, p_from int) returns table (o_number int, o_body text, o_last boolean)
  language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  update errand e set at = case when e.collected < p_from then clock_timestamp() else e.at end, collected = greatest(e.collected, p_from)
    where e.id = p_errand and e.asker = session_user;
  if not found then return; end if;
  delete from parcel c where c.errand = p_errand and c.number < p_from;
  return query select null::int, null::text, null::boolean union all
    (select c.number, encode(c.body, 'hex'), c.is_last from parcel c where c.errand = p_errand and c.number >= p_from order by c.number limit 8);
end $$;

create function forget_errand(p_errand bigint) returns void language sql security definer set search_path = fleet, pg_temp
  as $$ delete from errand e where e.id = p_errand and (e.asker = session_user or e.host = session_user) $$;

-- The statistics of the server for operators, as names and values.
create function health() returns table (o_name text, o_value text) language sql security definer set search_path = fleet, pg_temp as $$
  select 'version', (select max(number)::text from version) union all
  select 'epochMilliseconds', (extract(epoch from clock_timestamp()) * 1000)::bigint::text union all
  select 'superuser', (select rolsuper::text from pg_roles where rolname = session_user) union all
  select 'tls', (select case when s.ssl then s.version else 'none' end from pg_stat_get_activity(pg_backend_pid()) a
    cross join lateral (select a.ssl, a.sslversion as version) s) union all
  select 'local', (inet_client_addr() is null)::text union all
  select 'synchronousNames', current_setting('synchronous_standby_names') union all
  select 'synchronousCommit', current_setting('synchronous_commit') union all
  select 'synchronousStandbys', (select count(*)::text from pg_stat_replication where sync_state in ('sync', 'quorum')) union all
  select 'standbys', (select count(*)::text from pg_stat_replication) union all
  select 'oldestTransactionSeconds', (select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::bigint::text
    from pg_stat_activity where backend_xmin is not null and pid <> pg_backend_pid()) union all
  select 'deadRows', (select coalesce(sum(n_dead_tup), 0)::bigint::text from pg_stat_user_tables where schemaname = 'fleet' and relname = 'run') union all
  select 'partitionDays', (select greatest(0, max(to_date(right(c.relname, 8), 'YYYYMMDD')) - (clock_timestamp() at time zone 'UTC')::date)::text
    from pg_class c where c.relnamespace = 'fleet'::regnamespace and c.relkind = 'r' and c.relname ~ '^history_\d{8}$') union all
  select 'queueBytes', pg_total_relation_size('fleet.run')::text union all
  select 'queued', (select count(*)::text from run where state = 'queued') union all
  select 'running', (select count(*)::text from run where state = 'running') union all
  select 'hosts', (select count(*)::text from node) union all
  select 'hostsAlive', (select count(*)::text from node where seen + lease > clock_timestamp()) $$;

-- The hosts, with the columns that every host may read.
create function hosts() returns table (o_name text, o_state text, o_seen_milliseconds bigint, o_free int, o_running bigint, o_intents int)
  language sql security definer set search_path = fleet, pg_temp as $$
  select n.name, case when n.seen is null then 'left' when n.seen + n.lease < clock_timestamp() then 'lost' when n.draining then 'draining' else 'alive' end,
    (extract(epoch from clock_timestamp() - n.seen) * 1000)::bigint, n.free, (select count(*) from run r where r.node = n.name), cardinality(n.intents)
  from node n order by n.name $$;

-- Apply the planner settings that version 1 explains to the new functions.
do $$ declare f regprocedure; begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'fleet'::regnamespace
      and p.proname in ('take', 'finish', 'errands', 'deliver', 'collect') loop
    execute format('alter function %s set jit = off', f);
    execute format('alter function %s set enable_seqscan = off', f);
    execute format('alter function %s set enable_bitmapscan = off', f);
  end loop;
end $$;

alter table errand enable row level security;
alter table parcel enable row level security;

revoke execute on all functions in schema fleet from public;
revoke execute on function retry_1 from fleet_node, fleet_client, fleet_operator;
grant execute on function retry, undo, ask_host, collect, forget_errand to fleet_node, fleet_client, fleet_operator;
grant execute on function take, errands, deliver, maintain, hosts to fleet_node;
grant execute on function hosts to fleet_operator;
grant execute on function health to fleet_node, fleet_operator;
