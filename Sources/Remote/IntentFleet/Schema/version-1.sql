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
  token uuid not null default gen_random_uuid(), question jsonb, answer jsonb,
  -- The only host that may take the run; null for any host.
  host text,
  -- The host that stores the files of the run, and their name on that host; null for a run without files.
  origin text, spool text)
  with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0,
        autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
create index run_queue on run (owner, priority desc, id) where state = 'queued';
create index run_realm on run (split_part(owner, '@', 2), owner) where state = 'queued';
create index run_live on run (node, owner) where state = 'running';
create index run_origin on run (origin) where origin is not null;

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

-- The intents of the fleet, with the descriptions that each host publishes for the users of other hosts.
create table app (node text not null references node on delete cascade, name text not null, description jsonb not null, primary key (node, name));

-- A request to the host that performs, or has performed, a run, or that stores its files. Empty after a crash and after a failover:
-- the requesting host then repeats its request. The number is random, because the sequence of an unlogged table starts again after a
-- crash and after a failover. A part that is delivered late would then belong to another errand.
create unlogged table errand (id bigint primary key default hashtextextended(gen_random_uuid()::text, 0) & 9223372036854775807,
  run bigint not null, owner text not null, attempt int not null, host text not null, asker text not null,
  kind text not null check (kind in ('logs', 'file', 'discard', 'input')), number bigint not null,
  local text, collected int not null default 0, at timestamptz not null default clock_timestamp())
  with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index errand_host on errand (host);
create index errand_owner on errand (owner);

-- The parts of an answer that the requesting host has not collected yet, at most 16. Unlogged: they use no WAL, and no space on
-- a standby or in a backup.
create unlogged table parcel (errand bigint not null references errand on delete cascade, number int not null, body bytea not null,
  is_last boolean not null, primary key (errand, number)) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 200);

-- The checks of the caller are in PL/pgSQL, because PostgreSQL plans a function in SQL again for each statement that calls it, which
-- took a third of the time of a submission.
create function is_operator() returns boolean language plpgsql stable security definer set search_path = fleet, pg_temp
  as $$ begin return pg_has_role(session_user, 'fleet_operator', 'member'); end $$;

-- Returns true if the caller is a host that may act for this owner.
create function may_speak(p_owner text) returns boolean language plpgsql stable security definer set search_path = fleet, pg_temp as $$ begin
  return exists (select from speaks s where s.node = session_user and p_owner ~ '^[^@*[:space:][:cntrl:]]{1,64}@[^@*[:space:][:cntrl:]]{1,64}$'
    and s.owner in (p_owner, '*@' || split_part(p_owner, '@', 2)));
end $$;

-- Returns true if the caller may see, cancel and retry runs of this owner. A login role with '@' in its name owns no runs.
create function may(p_owner text) returns boolean language plpgsql stable security definer set search_path = fleet, pg_temp as $$ begin
  return p_owner = session_user and position('@' in p_owner) = 0 or may_speak(p_owner) or is_operator();
end $$;

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

-- The number of attempts that an offer permits.
create function tries(p_offer jsonb) returns int language sql immutable
  as $$ select case p_offer ->> 'policy' when 'retryable' then greatest(1, least(100, (p_offer ->> 'tries')::int)) else 1 end $$;

-- Submits a run. A repeated key of an owner returns the first run with that key, for as long as the receipt is kept.
--
-- With the epoch of the calling host, also assigns the new run to this host, if the host offers the intent and no run of the fleet
-- is queued: a queued run may have to come first. Without an assignment, the columns of the attempt are null.
create function submit_here(p_owner text, p_key text, p_intent text, p_args jsonb, p_epoch text, p_priority int = 0)
  returns table (o_run bigint, o_attempt int, o_intent text, o_owner text, o_args jsonb, o_policy text, o_token uuid, o_new boolean)
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare
  who text = coalesce(p_owner, session_user);
  hash bytea = sha256(convert_to(p_intent || chr(10) || (case jsonb_typeof(p_args) when 'object' then p_args - '{locale,traceparent}'::text[] else p_args end)::text, 'UTF8'));
  made bigint;
  old receipt;
  me node;
  taken run;
begin
  if may_speak(who) is not true and (who <> session_user or position('@' in who) > 0 or exists (select from node n where n.name = who)) then
    raise '% may not submit runs for %', session_user, who using errcode = '42501'; end if;
  if p_key is null or p_intent is null or p_args is null or p_priority is null or octet_length(p_key) not between 1 and 200 or octet_length(p_intent) not between 1 and 256
    or p_intent ~ '[[:cntrl:]]' or octet_length(p_args::text) > 65536 or p_priority not between -100 and 100 then
    raise 'the key, the intent, the arguments or the priority is missing or exceeds its limit' using errcode = '22023'; end if;
  insert into receipt (owner, key, run, digest) values (who, p_key, nextval('run_id_seq'), hash) on conflict do nothing returning run into made;
  if made is null then
    select * into old from receipt r where r.owner = who and r.key = p_key;
    if old.digest <> hash then raise 'the key ''%'' was used for a run with other arguments', p_key using errcode = '23505'; end if;
    return query select old.run, null::int, p_intent, who, null::jsonb, null::text, null::uuid, false;
    return;
  end if;
  if p_epoch is not null and not exists (select from run r where r.state = 'queued') then
    -- The lock makes drain and remove_host wait for the end of this transaction.
    select * into me from node n where n.name = session_user and n.epoch = p_epoch and n.seen + n.lease > clock_timestamp() and not n.draining for share;
  end if;
  if me.offers ? p_intent then
    insert into run (id, owner, intent, args, priority, state, node, epoch, attempt, started, policy, tries) overriding system value
      values (made, who, p_intent, p_args, p_priority, 'running', me.name, me.epoch, 1, clock_timestamp(), me.offers -> p_intent ->> 'policy', tries(me.offers -> p_intent))
      returning * into taken;
  else
    perform check_queue(who);
    insert into run (id, owner, intent, args, priority) overriding system value values (made, who, p_intent, p_args, p_priority);
  end if;
  return query select made, taken.attempt, p_intent, who, taken.args, taken.policy, taken.token, true;
end $$;

-- Submits a run that any host may take.
create function submit(p_owner text, p_key text, p_intent text, p_args jsonb, p_priority int = 0)
  returns table (o_run bigint, o_new boolean) language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  return query select s.o_run, s.o_new from submit_here(p_owner, p_key, p_intent, p_args, null, p_priority) s;
end $$;

-- Submits a run with files that the calling host stores. The arguments contain the size and the digest of each file, so that a
-- repeated key with other files is refused.
create function submit_with_files(p_owner text, p_key text, p_intent text, p_args jsonb, p_spool text)
  returns table (o_run bigint, o_new boolean) language plpgsql security definer set search_path = fleet, pg_temp as $$
declare made record; begin
  if p_spool is null or p_spool !~ '^[0-9a-z-]{1,64}$' then raise 'the name of the files is missing or invalid' using errcode = '22023'; end if;
  select * into made from submit(p_owner, p_key, p_intent, p_args);
  if made.o_new then update run r set origin = session_user, spool = p_spool where r.id = made.o_run; end if;
  return query select made.o_run, made.o_new;
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

-- Assigns runs to the calling host while it has this epoch. Another process with the host's name changes the epoch when the lease has
-- expired, and would otherwise start the same runs. Runs of the owner with the fewest running runs come first, then runs with a higher
-- priority, then older runs. The statement ranks more candidates than it needs, without locks, and skips rows that another host has
-- locked. The offer of the host that performs a run determines whether the run may be repeated.
create function take(p_free int, p_epoch text)
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
  select * into me from node n where n.name = session_user and n.epoch = p_epoch and n.seen + n.lease > clock_timestamp() and not n.draining for share;
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
      policy = me.offers -> r.intent ->> 'policy', tries = tries(me.offers -> r.intent)
    from locked where r.id = locked.id returning r.id, r.attempt, r.intent, r.owner, r.args, r.policy, r.token;
end $$;

-- Commits results. The attempt is the fence: a result counts only while the host still holds that attempt. A repeated commit
-- returns 'committed' again, unless a sweep has written a different end of the attempt. A host ends an attempt as 'lost' if its
-- launcher exited and the outcome is unknown. Such an attempt ends like an attempt of a lost host.
--
-- Returns no verdict for a run that another transaction has locked: a host does not wait for the transaction of a user, which may last
-- longer than its lease, but commits the result again later. Reads the history, which has a partition for each day, only for an end
-- that this call has not written: a statement prepares its access to each partition, even if it never reads one.
create function finish(p_ends json) returns table (o_run bigint, o_verdict text)
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare
  wanted record;
begin
  if json_typeof(p_ends) is distinct from 'array' or json_array_length(p_ends) > 1000
    or exists (select from json_to_recordset(p_ends) as x (run bigint, attempt int, state text, result jsonb, reason text) where x.run is null or x.attempt is null
      or x.state is null or x.state not in ('done', 'failed', 'cancelled', 'lost') or octet_length(x.result::text) > 65536 or octet_length(x.reason) > 1024) then
    raise 'an end is incomplete or exceeds its limit' using errcode = '22023'; end if;
  for wanted in with
    f as (select distinct on (x.run) x.run, x.attempt, case x.state when 'lost' then 'failed' else x.state end as state, x.result, x.reason, x.state = 'lost' as lost
      from json_to_recordset(p_ends) as x (run bigint, attempt int, state text, result jsonb, reason text) order by x.run, x.attempt desc),
    held as materialized (select r.id from f join run r on r.id = f.run where r.attempt = f.attempt and r.node = session_user
      and r.state = 'running' for update of r skip locked),
    again as (update run r set state = 'queued', node = null, epoch = null, question = null, answer = null
      from f join held on held.id = f.run where f.lost and r.id = f.run
        and r.policy = 'retryable' and r.tries > r.attempt and r.cancel is null returning r.id),
    ended as (delete from run r using f join held on held.id = f.run where r.id = f.run
      and not (f.lost and coalesce(r.policy = 'retryable', false) and r.tries > r.attempt and r.cancel is null) returning r.*),
    kept as (
      insert into history (id, owner, intent, args, state, result, reason, node, attempt, submitted, started)
      select e.id, e.owner, e.intent, e.args, f.state, f.result, f.reason, e.node, e.attempt, e.submitted, e.started from ended e join f on f.run = e.id),
    reported as (delete from progress p using (select q.run from ended e join progress q on q.run = e.id for update of q skip locked) l
      where p.run = l.run)
    select f.run, f.attempt, f.state, f.reason, e.id is not null or a.id is not null as written
    from f left join ended e on e.id = f.run left join again a on a.id = f.run
  loop
    continue when not wanted.written and exists (select from run r where r.id = wanted.run and r.attempt = wanted.attempt
      and r.node = session_user and r.state = 'running');
    if not wanted.written then
      wanted.written = exists (select from history h where h.id = wanted.run and h.attempt = wanted.attempt
        and h.node = session_user and h.state = wanted.state and h.reason is not distinct from wanted.reason);
    end if;
    o_run = wanted.run;
    o_verdict = case when wanted.written then 'committed' else 'stale' end;
    return next;
  end loop;
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

-- The milliseconds until the next lease of another host ends; 0 if a lost host still holds runs; null if there is no such host.
create function sweep_due() returns bigint language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  return (select min(greatest(0, ceil(extract(epoch from n.seen + n.lease - clock_timestamp()) * 1000)))::bigint from node n where n.name <> session_user
    and n.seen is not null and (n.seen + n.lease > clock_timestamp() or exists (select from run r where r.node = n.name and r.state = 'running')));
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

-- Submits an ended run again, once: the second call returns the run that the first call created. The files of an ended run have been
-- deleted.
create function retry(p_run bigint) returns table (o_run bigint, o_new boolean)
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare
  h history;
  made bigint;
begin
  select * into h from history x where x.id = p_run and may(x.owner);
  if not found then return; end if;
  if h.args ? 'undoOf' then
    raise 'a run that undoes another run cannot be retried' using errcode = '22023', hint = 'undo the run again'; end if;
  if h.args ? 'files' then
    raise 'the files of the run were deleted when it ended' using errcode = '22023', hint = 'run the intent again with its files'; end if;
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

-- The names of the files that the calling host must keep, because their runs have not ended.
create function spools() returns table (o_spool text) language sql stable security definer set search_path = fleet, pg_temp
  as $$ select r.spool from run r where r.origin = session_user $$;

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

-- Requests a file of a run from the host that stores it. Only the host that holds the attempt may request it, and only within its
-- lease. Without an errand, the row contains the host that was lost, or null for a run without files.
create function ask_origin(p_run bigint, p_attempt int, p_number bigint) returns table (o_errand bigint, o_host text)
  language plpgsql security definer set search_path = fleet, pg_temp as $$
declare
  r record;
  made bigint;
begin
  if p_number is null or p_number not between 0 and 15 then raise 'the question is invalid' using errcode = '22023'; end if;
  select x.owner, x.origin, x.spool into r from run x join node n on n.name = x.node and n.epoch = x.epoch
    where x.id = p_run and x.attempt = p_attempt and x.node = session_user and x.state = 'running' and n.seen + n.lease > clock_timestamp();
  if not found then return; end if;
  if r.origin is null or not exists (select from node n where n.name = r.origin and n.seen + n.lease > clock_timestamp()) then
    return query select null::bigint, r.origin;
    return;
  end if;
  delete from errand e where e.at < clock_timestamp() - interval '2 min' or e.run = p_run and e.kind = 'input' and e.asker = session_user;
  insert into errand (run, owner, attempt, host, asker, kind, number, local)
    values (p_run, r.owner, p_attempt, r.origin, session_user, 'input', p_number, r.spool) returning id into made;
  return query select made, r.origin;
end $$;

-- The errands for the calling host, with the number of parts of the answer that the requesting host has collected. A request for a
-- file that a run receives ends when the requesting host no longer holds the attempt.
create function errands() returns table (o_errand bigint, o_run bigint, o_attempt int, o_owner text, o_kind text, o_number bigint, o_local text, o_asker text, o_collected int)
  language sql stable security definer set search_path = fleet, pg_temp as $$
  select e.id, e.run, e.attempt, e.owner, e.kind, e.number, e.local, e.asker, e.collected from errand e
  where e.host = session_user and e.at > clock_timestamp() - interval '2 min' and (e.kind <> 'input'
    or exists (select from run r where r.id = e.run and r.attempt = e.attempt and r.node = e.asker and r.state = 'running'))
  order by e.id limit 64 $$;

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

-- The queue is small, and changes faster than its statistics. These functions use no sequential scans, because a plan for an empty
-- queue would otherwise continue to read the whole table. The planner assigns a high cost to plans without sequential scans, and
-- would therefore start the JIT compiler for 130 ms per take, so the compiler is disabled as well.
do $$ declare f regprocedure; begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'fleet'::regnamespace and p.proname in ('submit', 'submit_here', 'submit_with_files', 'check_queue',
      'take', 'finish', 'beat', 'sweep', 'sweep_due', 'report', 'spools', 'ask_origin', 'errands', 'deliver', 'collect') loop
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
alter table errand enable row level security;
alter table parcel enable row level security;
create policy visible on run for select using (may(owner) or node = session_user);
create policy visible on history for select using (may(owner) or node = session_user);
create policy visible on progress for select using (may(owner));
create policy visible on node for select using (name = session_user or is_operator());
create policy visible on app for select using (true);
create policy visible on speaks for select using (node = session_user or is_operator());

revoke execute on all functions in schema fleet from public;
grant select on version to fleet_node, fleet_client, fleet_operator;
grant select on run, history, progress, node, speaks, app to fleet_node, fleet_client, fleet_operator;
grant execute on function submit, cancel, answer, retry, undo, ask_host, collect, forget_errand, may, may_speak, is_operator
  to fleet_node, fleet_client, fleet_operator;
grant execute on function beat, leave, take, finish, sweep, sweep_due, report, ask, publish, maintain, submit_here, submit_with_files,
  spools, ask_origin, errands, deliver, hosts, health to fleet_node;
grant execute on function add_host, remove_host, drain, allow, disallow, hosts, health to fleet_operator;

-- Each statement of a host waits for a lock for at most a second, because the next beat follows it on the connection.
do $$ declare f regprocedure; begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'fleet'::regnamespace and p.provolatile = 'v'
      and has_function_privilege('fleet_node', p.oid, 'execute') loop
    execute format('alter function %s set lock_timeout = %L', f, '1s');
  end loop;
end $$;
