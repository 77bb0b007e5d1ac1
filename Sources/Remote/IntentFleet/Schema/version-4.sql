-- Version 4 of the fleet's schema, for a database with version 3. Hosts of version 3 continue to work with it: the functions
-- that they call keep their arguments and their results.
--
-- New: a host that can perform a run submits and takes it in one transaction; a host names its epoch when it takes runs; hosts sweep
-- as soon as another host's lease ends; the number of an errand is never used again.

set local role fleet_owner;
set local search_path = fleet, pg_temp;
insert into version values (4);

-- Random numbers, because the sequence of an unlogged table starts again after a crash and after a failover. A part that is delivered
-- late would then belong to another errand.
alter table errand alter column id drop identity;
alter table errand alter column id set default hashtextextended(gen_random_uuid()::text, 0) & 9223372036854775807;

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

-- The number of attempts that an offer permits.
create function tries(p_offer jsonb) returns int language sql immutable
  as $$ select case p_offer ->> 'policy' when 'retryable' then greatest(1, least(100, (p_offer ->> 'tries')::int)) else 1 end $$;

create or replace function submit(p_owner text, p_key text, p_intent text, p_args jsonb, p_priority int = 0)
  returns table (o_run bigint, o_new boolean) language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  return query select s.o_run, s.o_new from submit_here(p_owner, p_key, p_intent, p_args, null, p_priority) s;
end $$;

-- Assigns runs to the calling host, as in version 2, while the host has this epoch. Another process with the host's name changes the
-- epoch when the lease has expired, and would otherwise start the same runs.
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

create or replace function take(p_free int)
  returns table (o_run bigint, o_attempt int, o_intent text, o_owner text, o_args jsonb, o_policy text, o_token uuid)
  language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  return query select * from take(p_free, (select n.epoch from node n where n.name = session_user));
end $$;

-- Commits results, as in version 2. Returns no verdict for a run that another transaction has locked: a host does not wait for the
-- transaction of a user, which may last longer than its lease, but commits the result again later. Reads the history, which has a partition for each day, only for an end that this call has not
-- written: a statement prepares its access to each partition, even if it never reads one.
create or replace function finish(p_ends json) returns table (o_run bigint, o_verdict text)
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

-- The milliseconds until the next lease of another host ends; 0 if a lost host still holds runs; null if there is no such host.
create function sweep_due() returns bigint language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  return (select min(greatest(0, ceil(extract(epoch from n.seen + n.lease - clock_timestamp()) * 1000)))::bigint from node n where n.name <> session_user
    and n.seen is not null and (n.seen + n.lease > clock_timestamp() or exists (select from run r where r.node = n.name and r.state = 'running')));
end $$;

-- Apply the planner settings that version 1 explains to the new functions. Replacing a function resets them.
do $$ declare f regprocedure; begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'fleet'::regnamespace
      and p.proname in ('submit_here', 'submit', 'take', 'finish', 'sweep_due') loop
    execute format('alter function %s set jit = off', f);
    execute format('alter function %s set enable_seqscan = off', f);
    execute format('alter function %s set enable_bitmapscan = off', f);
  end loop;
end $$;

revoke execute on function submit_here, tries, take(int, text), sweep_due from public;
grant execute on function submit_here, take(int, text), sweep_due to fleet_node;

-- Each statement of a host waits for a lock for at most a second, because the next beat follows it on the connection.
do $$ declare f regprocedure; begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'fleet'::regnamespace and p.provolatile = 'v'
      and has_function_privilege('fleet_node', p.oid, 'execute') loop
    execute format('alter function %s set lock_timeout = %L', f, '1s');
  end loop;
end $$;
