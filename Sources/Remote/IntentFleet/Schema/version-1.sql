-- Version 1 of the fleet's schema, for PostgreSQL 15 or later. A superuser runs this script once, in a new database.
--
-- A host has a login role with the host's name, in fleet_node. A service that submits its own runs has a login role in
-- fleet_client. Neither role can write to a table: to write, it calls a function of fleet_owner, which identifies the caller by
-- session_user. Row level security limits reads. All times are measured by the database's clock.
--
-- An owner with '@' is a user of a host, as in alice@web1. An owner without '@' is a login role of the database.

do $$ declare name text; begin
  foreach name in array array['fleet_owner', 'fleet_node', 'fleet_client', 'fleet_operator'] loop
    begin
      execute format('create role %I nologin', name);
    exception when duplicate_object then null;  -- Roles belong to the cluster: another fleet's database may have them.
    end;
  end loop;
end $$;
grant pg_read_all_stats, pg_signal_backend to fleet_owner;
-- No role of the fleet needs temporary tables, large objects or advisory locks. They would cost the server disk, memory or locks.
do $$ declare f regprocedure; begin
  execute format('revoke temporary on database %I from public', current_database());
  for f in select p.oid from pg_proc p where p.pronamespace = 'pg_catalog'::regnamespace
      and (p.proname ~ '^(lo_|pg_(try_)?advisory_)' or p.proname in ('loread', 'lowrite')) loop
    execute format('revoke execute on function %s from public', f);
  end loop;
end $$;
create schema fleet authorization fleet_owner;
grant usage on schema fleet to fleet_node, fleet_client, fleet_operator;
set local role fleet_owner;
set local search_path = fleet, pg_temp;

create table version (number int primary key, installed timestamptz not null default clock_timestamp());
insert into version values (1);
create table setting (single boolean primary key default true check (single), history_days int not null default 30 check (history_days >= 1),
  queued_per_owner int not null default 5000 check (queued_per_owner >= 1), transaction_seconds int not null default 60 check (transaction_seconds >= 1),
  owners_per_host int not null default 200 check (owners_per_host >= 1));
insert into setting default values;

-- One lease per host, not per run: the host monitors its own workers. The epoch changes when the host has lost its workers.
create table node (name text primary key, epoch text, offers jsonb not null default '{}', intents text[] not null default '{}',
  free int not null default 0, seen timestamptz, lease interval not null default '30 s', draining boolean not null default false,
  added timestamptz not null default clock_timestamp()) with (fillfactor = 50);

-- The users that a host may act for: a name with '@', or '*@realm' for every user of a realm.
create table speaks (node text not null references node on delete cascade, owner text not null,
  check (owner ~ '^[^@[:space:][:cntrl:]]{1,64}@[^@*[:space:][:cntrl:]]{1,64}$'), primary key (node, owner));

-- Contains only queued and running runs, so that ended runs do not slow statements down. Ended runs move to history.
create table run (id bigint generated always as identity primary key, owner text not null, intent text not null, args jsonb not null,
  priority int not null default 0, state text not null default 'queued' check (state in ('queued', 'running')),
  policy text check (policy in ('once', 'retryable', 'exclusive')), tries int not null default 1, attempt int not null default 0,
  node text, epoch text, submitted timestamptz not null default clock_timestamp(), started timestamptz, cancel text, cancel_by text,
  -- Identifies the run at intentd. A database that is restored from a backup assigns the number again, but not the token.
  token uuid not null default gen_random_uuid(), question jsonb, answer jsonb)
  with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
create index run_queue on run (owner, priority desc, id) where state = 'queued';
create index run_realm on run (split_part(owner, '@', 2), owner) where state = 'queued';
create index run_live on run (node, owner) where state = 'running';

create table receipt (owner text, key text, run bigint not null, digest bytea not null,
  at timestamptz not null default clock_timestamp(), primary key (owner, key));
create index receipt_age on receipt (at);

create table history (id bigint not null, owner text not null, intent text not null, args jsonb not null, state text not null,
  result jsonb, reason text, node text, attempt int not null, submitted timestamptz not null, started timestamptz,
  finished timestamptz not null default clock_timestamp()) partition by range (finished);
create index on history (id);
create index on history (owner, finished desc);
-- Contains the runs that end on a day without a partition. An open transaction can prevent a new partition.
create table history_default partition of history default;

-- The progress of running runs. Empty after a crash and after a failover, until the hosts report again within a second.
create unlogged table progress (run bigint primary key, owner text not null, attempt int not null, report jsonb not null,
  at timestamptz not null) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create function is_operator() returns boolean language sql stable security definer set search_path = fleet, pg_temp
  as $$ select pg_has_role(session_user, 'fleet_operator', 'member') $$;

-- The intents of the fleet, with the descriptions that each host publishes for the users of other hosts.
create table app (node text not null references node on delete cascade, name text not null, description jsonb not null, primary key (node, name));

-- Returns true if the caller is a host that may act for this owner.
create function may_speak(p_owner text) returns boolean language sql stable security definer set search_path = fleet, pg_temp as $$
  select exists (select from speaks s where s.node = session_user and p_owner ~ '^[^@*[:space:][:cntrl:]]{1,64}@[^@*[:space:][:cntrl:]]{1,64}$'
    and s.owner in (p_owner, '*@' || split_part(p_owner, '@', 2))) $$;

-- Returns true if the caller may see, cancel and retry runs of this owner. A login role with '@' in its name owns no runs.
create function may(p_owner text) returns boolean language sql stable security definer set search_path = fleet, pg_temp
  as $$ select p_owner = session_user and position('@' in p_owner) = 0 or may_speak(p_owner) or is_operator() $$;

-- Refuses another queued run of an owner with too many of them, and one of a further owner of a host with too many owners: a host can
-- invent users, and take() considers every owner with a queued run.
create function check_queue(p_owner text) returns void language plpgsql security definer set search_path = fleet, pg_temp as $$
declare
  limits setting;
  realm text = split_part(p_owner, '@', 2);
begin
  select * into limits from setting;
  -- The row after which the owner has as many queued runs as permitted.
  if exists (select from run r where r.state = 'queued' and r.owner = p_owner offset limits.queued_per_owner - 1) then
    raise '% has too many queued runs', p_owner using errcode = '53400'; end if;
  if realm <> '' and not exists (select from run r where r.state = 'queued' and r.owner = p_owner)
    and exists (with recursive owners as (
      (select r.owner from run r where r.state = 'queued' and split_part(r.owner, '@', 2) = realm order by r.owner limit 1) union all
      select (select r.owner from run r where r.state = 'queued' and split_part(r.owner, '@', 2) = realm and r.owner > o.owner order by r.owner limit 1)
        from owners o where o.owner is not null)
      select from owners o where o.owner is not null offset limits.owners_per_host - 1) then
    raise 'too many users of % have queued runs', realm using errcode = '53400'; end if;
end $$;

-- Submits a run. A repeated key of an owner returns the first run with that key, for as long as the receipt is kept.
create function submit(p_owner text, p_key text, p_intent text, p_args jsonb, p_priority int = 0)
  returns table (o_run bigint, o_new boolean) language plpgsql security definer set search_path = fleet, pg_temp as $$
declare
  who text = coalesce(p_owner, session_user);
  hash bytea = sha256(convert_to(p_intent || chr(10) || (case jsonb_typeof(p_args) when 'object' then p_args - '{locale,traceparent}'::text[] else p_args end)::text, 'UTF8'));
  old receipt;
  made bigint;
begin
  if may_speak(who) is not true and (who <> session_user or position('@' in who) > 0 or exists (select from node n where n.name = who)) then
    raise '% may not submit runs for %', session_user, who using errcode = '42501'; end if;
  if p_key is null or p_intent is null or p_args is null or p_priority is null or octet_length(p_key) not between 1 and 200 or octet_length(p_intent) not between 1 and 256
    or p_intent ~ '[[:cntrl:]]' or octet_length(p_args::text) > 65536 or p_priority not between -100 and 100 then
    raise 'the key, the intent, the arguments or the priority is missing or exceeds its limit' using errcode = '22023'; end if;
  insert into receipt (owner, key, run, digest) values (who, p_key, 0, hash) on conflict do nothing;
  if not found then
    select * into old from receipt r where r.owner = who and r.key = p_key;
    if old.digest <> hash then raise 'the key ''%'' was used for a run with other arguments', p_key using errcode = '23505'; end if;
    return query select old.run, false;
    return;
  end if;
  perform check_queue(who);
  insert into run (owner, intent, args, priority) values (who, p_intent, p_args, p_priority) returning id into made;
  update receipt r set run = made where r.owner = who and r.key = p_key;
  return query select made, true;
end $$;

-- Extends the host's lease, and returns every run that the host holds, with its cancellation and its answer, because the
-- notification or the answer that contained them may have been lost.
create function beat(p_epoch text, p_offers jsonb, p_free int, p_lease interval)
  returns table (o_run bigint, o_attempt int, o_intent text, o_owner text, o_args jsonb, o_policy text, o_token uuid, o_cancel text, o_answer jsonb)
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare me node; begin
  if p_epoch is null or octet_length(p_epoch) not between 1 and 128 or jsonb_typeof(p_offers) is distinct from 'object' or octet_length(p_offers::text) > 262144
    or p_free is null or p_free < 0 or p_lease is null or p_lease < '1 s' or p_lease > '10 min' then
    raise 'the epoch, the offers, the number of free slots or the lease exceeds its limit' using errcode = '22023'; end if;
  select * into me from node n where n.name = session_user for update;
  if not found then raise 'unknown host %', session_user using errcode = '42501', hint = 'add it with intentctl fleet add-host'; end if;
  if me.epoch <> p_epoch and me.seen + me.lease > clock_timestamp() then
    raise 'another host with the name % is alive', session_user using errcode = '55006', hint = 'wait for the end of its lease, or choose another name'; end if;
  update node n set epoch = p_epoch, free = p_free, seen = clock_timestamp(), lease = p_lease where n.name = me.name;
  if me.offers <> p_offers then
    update node n set offers = p_offers, intents = array(select jsonb_object_keys(p_offers)) where n.name = me.name; end if;
  return query select r.id, r.attempt, r.intent, r.owner, r.args, r.policy, r.token, r.cancel, r.answer from run r
    where r.node = me.name and r.epoch = p_epoch and r.state = 'running';
end $$;

-- Ends the host's lease immediately, for a restart under another epoch. Refused while the host holds runs.
create function leave() returns boolean language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  update node n set seen = null, free = 0 where n.name = session_user and not exists (select from run r where r.state = 'running' and r.node = n.name);
  return found;
end $$;

-- Assigns runs to the calling host. Runs of the owner with the fewest running runs come first, then runs with a higher priority,
-- then older runs. The statement ranks more candidates than it needs, without locks, and skips rows that another host has
-- locked. The offer of the host that performs a run determines whether the run may be repeated.
create function take(p_free int)
  returns table (o_run bigint, o_attempt int, o_intent text, o_owner text, o_args jsonb, o_policy text, o_token uuid)
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare
  me node;
  wanted_count int = least(p_free, 256);
begin
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
        select r.id, r.priority from run r where r.state = 'queued' and r.owner = o.owner and r.intent = any (me.intents)
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

-- Commits results. The attempt is the fence: a result counts only while the host still holds that attempt. A repeated commit
-- returns 'committed' again, unless a sweep has written a different end of the attempt.
create function finish(p_ends json) returns table (o_run bigint, o_verdict text)
  language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  if json_typeof(p_ends) is distinct from 'array' or json_array_length(p_ends) > 1000
    or exists (select from json_to_recordset(p_ends) as x (run bigint, attempt int, state text, result jsonb, reason text) where x.run is null or x.attempt is null
      or x.state is null or x.state not in ('done', 'failed', 'cancelled') or octet_length(x.result::text) > 65536 or octet_length(x.reason) > 1024) then
    raise 'an end is incomplete or exceeds its limit' using errcode = '22023'; end if;
  return query with
    f as (select distinct on (x.run) * from json_to_recordset(p_ends) as x (run bigint, attempt int, state text, result jsonb, reason text) order by x.run, x.attempt desc),
    ended as (delete from run r using f where r.id = f.run and r.attempt = f.attempt and r.node = session_user and r.state = 'running' returning r.*),
    kept as (
      insert into history (id, owner, intent, args, state, result, reason, node, attempt, submitted, started)
      select e.id, e.owner, e.intent, e.args, f.state, f.result, f.reason, e.node, e.attempt, e.submitted, e.started from ended e join f on f.run = e.id),
    reported as (delete from progress p using ended e where p.run = e.id)
    select f.run, case when e.id is not null or exists (select from history h where h.id = f.run and h.attempt = f.attempt
        and h.node = session_user and h.state = f.state and h.reason is not distinct from f.reason)
      then 'committed' else 'stale' end
    from f left join ended e on e.id = f.run;
end $$;

-- Ends or requeues the runs of lost hosts. Does nothing in a session that is younger than a lease, because after an outage of
-- the database every host appears lost. Does nothing for a host with an expired lease.
create function sweep() returns table (o_run bigint, o_verdict text)
  language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  perform end_old_transactions();
  if not exists (select from node n, pg_stat_get_activity(pg_backend_pid()) a where n.name = session_user
      and n.seen + n.lease > clock_timestamp() and a.backend_start < clock_timestamp() - n.lease) then return; end if;
  return query with
    lost as (
      select r.id, r.policy = 'retryable' and r.tries > r.attempt and r.cancel is null as again
      from run r left join node n on n.name = r.node
      where r.state = 'running' and (n.name is null or n.seen is null or n.epoch <> r.epoch or n.seen + n.lease < clock_timestamp())
      limit 200 for update of r skip locked),
    queued as (update run r set state = 'queued', node = null, epoch = null, question = null, answer = null from lost l where r.id = l.id and l.again returning r.id),
    ended as (delete from run r using lost l where r.id = l.id and not l.again returning r.*),
    kept as (
      insert into history (id, owner, intent, args, state, reason, node, attempt, submitted, started)
      select e.id, e.owner, e.intent, e.args, 'failed', 'hostLost', e.node, e.attempt, e.submitted, e.started from ended e)
    select q.id, 'queued' from queued q union all select e.id, 'hostLost' from ended e;
end $$;

-- Cancels a run. A queued run ends immediately. For a running run, the caller sends a hint to the host in a separate
-- transaction: a NOTIFY in a transaction that writes delays every other commit.
create function cancel(p_run bigint, p_reason text) returns table (o_verdict text, o_node text)
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare r run; begin
  if p_reason is null or octet_length(p_reason) > 200 then raise 'the reason is missing or too long' using errcode = '22023'; end if;
  update run u set cancel = coalesce(u.cancel, p_reason), cancel_by = coalesce(u.cancel_by, session_user)
    where u.id = p_run and may(u.owner) returning * into r;
  if not found then return query select 'unknown', null::text; return; end if;
  if r.state = 'running' then return query select 'requested', r.node; return; end if;
  delete from run d where d.id = p_run;
  insert into history (id, owner, intent, args, state, reason, attempt, submitted)
    values (r.id, r.owner, r.intent, r.args, 'cancelled', r.cancel, r.attempt, r.submitted);
  return query select 'cancelled', null::text;
end $$;

-- Records the progress of all runs of a host, in one statement.
create function report(p_all json) returns void language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  if json_typeof(p_all) is distinct from 'array' or json_array_length(p_all) > 10000 then raise 'too many reports' using errcode = '22023'; end if;
  insert into progress as p (run, owner, attempt, report, at)
    select distinct on (x.run) x.run, r.owner, x.attempt, x.report, clock_timestamp()
    from json_to_recordset(p_all) as x (run bigint, attempt int, report jsonb)
    join run r on r.id = x.run and r.attempt = x.attempt and r.node = session_user and r.state = 'running'
    where x.report is not null and octet_length(x.report::text) <= 4096 order by x.run
    on conflict (run) do update set owner = excluded.owner, attempt = excluded.attempt, report = excluded.report, at = excluded.at;
end $$;

-- Opens a question of a run, or closes it if the question is null. A repeated question keeps its answer. Returns null, without an
-- effect, if another transaction has locked the run: a host does not wait for the transaction of a user.
create function ask(p_run bigint, p_attempt int, p_question jsonb) returns boolean
  language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  if octet_length(p_question::text) > 65536 then raise 'the question is too long' using errcode = '22023'; end if;
  if not exists (select from run r where r.id = p_run and r.attempt = p_attempt and r.node = session_user and r.state = 'running'
    and r.question is distinct from p_question) then return false; end if;
  perform from run r where r.id = p_run for update skip locked;
  if not found then return null; end if;
  update run r set question = p_question, answer = null where r.id = p_run and r.attempt = p_attempt and r.node = session_user and r.state = 'running';
  return found;
end $$;

-- Answers the open question of a run. Only the first answer is kept. The host checks it, and opens the question again if the
-- answer is invalid.
create function answer(p_run bigint, p_number bigint, p_answer jsonb) returns text
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare r run; begin
  if p_answer is null or octet_length(p_answer::text) > 65536 then raise 'the answer is missing or too long' using errcode = '22023'; end if;
  select * into r from run u where u.id = p_run and may(u.owner) for update;
  if not found then return 'unknown'; end if;
  if r.question is null or p_number is not null and (r.question ->> 'number')::bigint <> p_number then return 'closed'; end if;
  if r.answer is not null then return 'answered'; end if;
  update run u set answer = jsonb_build_object('question', r.question -> 'number', 'answer', p_answer) where u.id = p_run;
  return 'accepted';
end $$;

-- Replaces the descriptions of the intents that a host performs.
create function publish(p_apps json) returns void language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  if json_typeof(p_apps) is distinct from 'array' or json_array_length(p_apps) > 256 or octet_length(p_apps::text) > 4194304 then
    raise 'the descriptions exceed their limit' using errcode = '22023'; end if;
  perform from node n where n.name = session_user for update;
  if not found then raise 'unknown host %', session_user using errcode = '42501', hint = 'add it with intentctl fleet add-host'; end if;
  delete from app a where a.node = session_user;
  insert into app (node, name, description) select distinct on (x.name) session_user, x.name, x.description
    from json_to_recordset(p_apps) as x (name text, description jsonb)
    where octet_length(x.name) between 1 and 64 and x.description is not null order by x.name;
end $$;

-- Submits an ended run again, once: the second call returns the run that the first call created.
create function retry(p_run bigint) returns table (o_run bigint, o_new boolean)
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare
  h history;
  made bigint;
begin
  select * into h from history x where x.id = p_run and may(x.owner);
  if not found then return; end if;
  insert into receipt (owner, key, run, digest) values (h.owner, 'retry of run ' || p_run, 0, sha256(convert_to(h.intent || chr(10) || h.args::text, 'UTF8')))
    on conflict do nothing;
  if not found then
    return query select c.run, false from receipt c where c.owner = h.owner and c.key = 'retry of run ' || p_run;
    return;
  end if;
  perform check_queue(h.owner);
  insert into run (owner, intent, args) values (h.owner, h.intent, h.args) returning id into made;
  update receipt c set run = made where c.owner = h.owner and c.key = 'retry of run ' || p_run;
  return query select made, true;
end $$;

-- Ends the transactions of hosts and services that have been open for longer than transaction_seconds. A session could otherwise keep
-- the locks of the functions that it calls, and the snapshots of its queries, for as long as it likes.
create function end_old_transactions() returns void language sql security definer set search_path = fleet, pg_temp as $$
  select pg_terminate_backend(a.pid) from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
  where a.datname = current_database() and a.xact_start < clock_timestamp() - make_interval(secs => (select transaction_seconds from setting))
    and a.pid <> pg_backend_pid() and not r.rolsuper and (pg_has_role(r.oid, 'fleet_node', 'member') or pg_has_role(r.oid, 'fleet_client', 'member'))
    and not pg_has_role(r.oid, 'fleet_operator', 'member') $$;

-- Creates the partitions of the next days, drops partitions older than history_days, and deletes old receipts. Any host may call it.
-- The bounds of partitions are midnight in UTC, regardless of the caller's time zone. An open transaction that has read the history
-- prevents both: after a second, the function leaves the rest to a later call, because a waiting lock would block other readers. Until a day
-- has a partition, its rows are in the default partition.
create function maintain_on(p_today date) returns void language plpgsql security definer set search_path = fleet, pg_temp set timezone = 'UTC'
  set datestyle = 'ISO' set lock_timeout = '1s' as $$
declare
  day date;
  part text;
  days int = (select history_days from setting);
begin
  -- Only one call at a time. Unlike an advisory lock, no session can take this lock in another way.
  perform from setting for update skip locked;
  if not found then return; end if;
  for day in select generate_series(p_today - 1, p_today + 3, '1 day') loop
    part = 'history_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass('fleet.' || part) is not null;
    begin
      execute format('create table %I (like history including defaults)', part);
      execute format('with late as (delete from history_default h where h.finished >= %L and h.finished < %L returning h.*)
        insert into %I select * from late', day, day + 1, part);
      execute format('alter table history attach partition %I for values from (%L) to (%L)', part, day, day + 1);
    exception when lock_not_available or deadlock_detected then exit;
    end;
  end loop;
  for part in select c.relname from pg_class c where c.relnamespace = 'fleet'::regnamespace and c.relkind = 'r' and c.relname ~ '^history_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < p_today - days loop
    begin
      execute format('drop table %I', part);
    exception when lock_not_available or deadlock_detected then exit;
    end;
  end loop;
  delete from history_default h where h.finished < (p_today - days)::timestamptz;
  delete from receipt c using (select d.owner, d.key from receipt d
    where d.at < p_today::timestamptz - make_interval(days => days) and not exists (select from run r where r.id = d.run)
    order by d.at limit 1000 for update skip locked) o where c.owner = o.owner and c.key = o.key;
  delete from progress p using (select q.run from progress q where not exists (select from run r where r.id = q.run) for update skip locked) o
    where p.run = o.run;
end $$;
create function maintain() returns void language sql security definer set search_path = fleet, pg_temp set timezone = 'UTC'
  as $$ select maintain_on(current_date) $$;
select maintain();

-- Functions for operators.
create function add_host(p_name text) returns void language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  if p_name !~ '^[a-z0-9]([a-z0-9_.-]{0,61}[a-z0-9])?$' then raise 'expected a host name of lower-case letters, digits, ''.'', ''_'' and ''-'', got ''%''', p_name using errcode = '22023'; end if;
  insert into node (name) values (p_name) on conflict do nothing;
  insert into speaks values (p_name, '*@' || p_name) on conflict do nothing;
end $$;
create function remove_host(p_name text) returns boolean language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  delete from node n where n.name = p_name;
  return found;
end $$;
create function drain(p_name text, p_draining boolean) returns boolean language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  update node n set draining = p_draining where n.name = p_name;
  return found;
end $$;
create function allow(p_node text, p_owner text) returns void language sql security definer set search_path = fleet, pg_temp
  as $$ insert into speaks values (p_node, p_owner) on conflict do nothing $$;
create function disallow(p_node text, p_owner text) returns boolean language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  delete from speaks s where s.node = p_node and s.owner = p_owner;
  return found;
end $$;

-- The queue is small, and changes faster than its statistics. These functions use no sequential scans, because a plan for an empty
-- queue would otherwise continue to read the whole table. The planner assigns a high cost to plans without sequential scans, and
-- would therefore start the JIT compiler for 130 ms per take, so the compiler is disabled as well.
do $$ declare f regprocedure; begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'fleet'::regnamespace and p.proname in ('submit', 'check_queue', 'take', 'finish', 'beat', 'sweep', 'report') loop
    execute format('alter function %s set jit = off', f);
    execute format('alter function %s set enable_seqscan = off', f);
    execute format('alter function %s set enable_bitmapscan = off', f);
  end loop;
end $$;

alter table run enable row level security;
alter table history enable row level security;
alter table progress enable row level security;
alter table node enable row level security;
alter table speaks enable row level security;
alter table app enable row level security;
create policy visible on run for select using (may(owner) or node = session_user);
create policy visible on history for select using (may(owner) or node = session_user);
create policy visible on progress for select using (may(owner));
create policy visible on node for select using (name = session_user or is_operator());
create policy visible on app for select using (true);
create policy visible on speaks for select using (node = session_user or is_operator());

revoke execute on all functions in schema fleet from public;
grant select on version to fleet_node, fleet_client, fleet_operator;
grant select on run, history, progress, node, speaks, app to fleet_node, fleet_client, fleet_operator;
grant execute on function submit, cancel, answer, retry, may, may_speak, is_operator to fleet_node, fleet_client, fleet_operator;
grant execute on function beat, leave, take, finish, sweep, report, ask, publish, maintain to fleet_node;
grant execute on function add_host, remove_host, drain, allow, disallow to fleet_operator;
