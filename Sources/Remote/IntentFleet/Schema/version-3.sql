-- Version 3 of the fleet's schema, for a database with version 2. Hosts of version 2 continue to work with it: the functions
-- that they call keep their arguments and their results. They do not offer intents with files.
--
-- New: files that a run receives. The host on which the run was submitted stores them, and the host that holds an attempt of the
-- run requests them. The checks of the caller keep their plans.

set local role fleet_owner;
set local search_path = fleet, pg_temp;
insert into version values (3);

-- The host that stores the files of the run, and their name on that host; null for a run without files.
alter table run add column origin text, add column spool text;
create index run_origin on run (origin) where origin is not null;

alter table errand drop constraint errand_kind_check;
alter table errand add check (kind in ('logs', 'file', 'discard', 'input'));

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

-- The checks of the caller, as in version 1. PostgreSQL plans a function in SQL again for each statement that calls it, which took
-- a third of the time of a submission, and keeps the plans of a function in PL/pgSQL.
create or replace function is_operator() returns boolean language plpgsql stable security definer set search_path = fleet, pg_temp
  as $$ begin return pg_has_role(session_user, 'fleet_operator', 'member'); end $$;
create or replace function may_speak(p_owner text) returns boolean language plpgsql stable security definer set search_path = fleet, pg_temp as $$ begin
  return exists (select from speaks s where s.node = session_user and p_owner ~ '^[^@*[:space:][:cntrl:]]{1,64}@[^@*[:space:][:cntrl:]]{1,64}$'
    and s.owner in (p_owner, '*@' || split_part(p_owner, '@', 2)));
end $$;
create or replace function may(p_owner text) returns boolean language plpgsql stable security definer set search_path = fleet, pg_temp as $$ begin
  return p_owner = session_user and position('@' in p_owner) = 0 or may_speak(p_owner) or is_operator();
end $$;

-- The names of the files that the calling host must keep, because their runs have not ended.
create function spools() returns table (o_spool text) language sql stable security definer set search_path = fleet, pg_temp
  as $$ select r.spool from run r where r.origin = session_user $$;

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

-- The errands for the calling host, as in version 2. A request for a file ends when the requesting host no longer holds the attempt.
create or replace function errands() returns table (o_errand bigint, o_run bigint, o_attempt int, o_owner text, o_kind text, o_number bigint, o_local text, o_asker text, o_collected int)
  language sql stable security definer set search_path = fleet, pg_temp as $$
  select e.id, e.run, e.attempt, e.owner, e.kind, e.number, e.local, e.asker, e.collected from errand e
  where e.host = session_user and e.at > clock_timestamp() - interval '2 min' and (e.kind <> 'input'
    or exists (select from run r where r.id = e.run and r.attempt = e.attempt and r.node = e.asker and r.state = 'running'))
  order by e.id limit 64 $$;

-- Submits an ended run again, once. The files of an ended run have been deleted.
create or replace function retry(p_run bigint) returns table (o_run bigint, o_new boolean)
  language plpgsql security definer set search_path = fleet, pg_temp as $$ begin
  if exists (select from history h where h.id = p_run and may(h.owner) and h.args ? 'undoOf') then
    raise 'a run that undoes another run cannot be retried' using errcode = '22023', hint = 'undo the run again'; end if;
  if exists (select from history h where h.id = p_run and may(h.owner) and h.args ? 'files') then
    raise 'the files of the run were deleted when it ended' using errcode = '22023', hint = 'run the intent again with its files'; end if;
  return query select * from retry_1(p_run);
end $$;

-- Apply the planner settings that version 1 explains to the new functions. Replacing a function resets them.
do $$ declare f regprocedure; begin
  for f in select p.oid from pg_proc p where p.pronamespace = 'fleet'::regnamespace
      and p.proname in ('submit_with_files', 'spools', 'ask_origin', 'errands') loop
    execute format('alter function %s set jit = off', f);
    execute format('alter function %s set enable_seqscan = off', f);
    execute format('alter function %s set enable_bitmapscan = off', f);
  end loop;
end $$;

revoke execute on function submit_with_files, spools, ask_origin from public;
grant execute on function submit_with_files, spools, ask_origin to fleet_node;
