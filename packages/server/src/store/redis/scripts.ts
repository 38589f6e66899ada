import { IS_OLDER_FENCE } from '../../redis/fence.js';
import { redisScript as script } from '../../redis/redis-script.js';

// KEYS[1] names the cluster slot of all keys; ARGV[1] is their prefix, P:
//   number            counter of sessions and turns
//   order             sorted set: session → its number
//   session:<id>      hash: member of the record → JSON; `#nonce`: the call that created it
//   lease:<id>        hash: `fence` of the last holder; until it releases the session also `holder`, its process, and
//                     `lock`, the key of the lock of its job
//   turn:<turn>       hash: turn (JSON), session, state, end (nonce), untold (outbox, JSON)
//   turns:<id>        sorted set: turn → its number
//   open, open:<id>   sorted sets: open turns, of all sessions and of one
//   untold            sorted set: turns with an outbox
//   requests          hash: request id → turn
//   keys:<id>         hash: client key → turn
//   history:<id>      list of JSON
//   threads:<id>      hash: thread → `<number>:<JSON>`
//   usage:<day>:<name>  hash: `tokens` and `usd`
//   jobs:…            keys of BullMQ
// A script may be resent after a broken connection, so each is idempotent and repeats its reply.

const HEAD = `
local P = ARGV[1]
local function has(id) return redis.call('EXISTS', P..'session:'..id) == 1 end
local function isRevoked(id, fence)
  return fence ~= '' and fence ~= redis.call('HGET', P..'lease:'..id, 'fence')
end
local function turn(turnId) return redis.call('HMGET', P..'turn:'..turnId, 'turn', 'state') end
`;

/** ARGV: id, nonce, thread, its JSON, then member and JSON of the record. Returns 1 or an error. */
export const CREATE = script(`${HEAD}
local id = ARGV[2]
local key = P..'session:'..id
if has(id) then return redis.call('HGET', key, '#nonce') == ARGV[3] and 1 or 'session_exists' end
redis.call('HSET', key, '#nonce', ARGV[3])
for at = 6, #ARGV, 2 do redis.call('HSET', key, ARGV[at], ARGV[at + 1]) end
redis.call('HSET', P..'threads:'..id, ARGV[4], '1:'..ARGV[5])
redis.call('ZADD', P..'order', redis.call('INCR', P..'number'), id)
return 1`);

/** ARGV: id. Returns the hash of the record. */
export const GET = script(`${HEAD}
if not has(ARGV[2]) then return 'session_not_found' end
return redis.call('HGETALL', P..'session:'..ARGV[2])`);

/** ARGV: id, fence, then member and JSON, '' removes. Returns the hash. */
export const UPDATE = script(`${HEAD}
local id = ARGV[2]
local key = P..'session:'..id
if not has(id) then return 'session_not_found' end
if isRevoked(id, ARGV[3]) then return 'lease_lost' end
for at = 4, #ARGV, 2 do
  if ARGV[at + 1] == '' then redis.call('HDEL', key, ARGV[at]) else redis.call('HSET', key, ARGV[at], ARGV[at + 1]) end
end
return redis.call('HGETALL', key)`);

/** ARGV: id. */
export const DELETE = script(`${HEAD}
local id = ARGV[2]
if not has(id) then return 'session_not_found' end
for _, turnId in ipairs(redis.call('ZRANGE', P..'turns:'..id, 0, -1)) do
  local request = redis.call('HGET', P..'turn:'..turnId, 'request')
  if request then redis.call('HDEL', P..'requests', request) end
  redis.call('ZREM', P..'open', turnId)
  redis.call('ZREM', P..'untold', turnId)
  redis.call('DEL', P..'turn:'..turnId)
end
for _, name in ipairs({ 'session:', 'lease:', 'turns:', 'open:', 'keys:', 'history:', 'threads:' }) do
  redis.call('DEL', P..name..id)
end
redis.call('ZREM', P..'order', id)
return 1`);

/** ARGV: limit, previous session or ''. Newest first. */
export const LIST = script(`${HEAD}
local below = '+inf'
if ARGV[3] ~= '' then
  local number = redis.call('ZSCORE', P..'order', ARGV[3])
  if not number then return 'session_not_found' end
  below = '('..number
end
local page = {}
for _, id in ipairs(redis.call('ZRANGE', P..'order', below, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, ARGV[2])) do
  page[#page + 1] = redis.call('HGETALL', P..'session:'..id)
end
return page`);

/**
 * ARGV: id, turn, its JSON, request id, client key or '', history item, maximum. Returns the turn, or the number of
 * open turns as `{n}`.
 */
export const ADD_TURN = script(`${HEAD}
local id, turnId = ARGV[2], ARGV[3]
if not has(id) then return 'session_not_found' end
local known = ARGV[6] ~= '' and redis.call('HGET', P..'keys:'..id, ARGV[6])
if known then return turn(known) end
if redis.call('EXISTS', P..'turn:'..turnId) == 1 then return turn(turnId) end
local open = redis.call('ZCARD', P..'open:'..id)
if open > tonumber(ARGV[8]) then return { open } end
local number = redis.call('INCR', P..'number')
redis.call('HSET', P..'turn:'..turnId, 'turn', ARGV[4], 'session', id, 'request', ARGV[5], 'state', 'queued')
for _, name in ipairs({ 'turns:'..id, 'open:'..id, 'open' }) do redis.call('ZADD', P..name, number, turnId) end
redis.call('HSET', P..'requests', ARGV[5], turnId)
if ARGV[6] ~= '' then redis.call('HSET', P..'keys:'..id, ARGV[6], turnId) end
redis.call('RPUSH', P..'history:'..id, ARGV[7])
local holder = redis.call('HGET', P..'lease:'..id, 'holder')
if holder then redis.call('PUBLISH', P..'rpc:'..holder, cjson.encode({ kind = 'turn', sessionId = id })) end
return turn(turnId)`);

export const GET_TURN = script(`${HEAD} return turn(ARGV[2])`);

/** ARGV: request id. As `GET_TURN`. */
export const FIND_TURN = script(`${HEAD} return turn(redis.call('HGET', P..'requests', ARGV[2]) or '')`);

/** ARGV: turn, fence. The holder may start a turn again that an earlier one has started. */
export const START_TURN = script(`${HEAD}
local key, fence = P..'turn:'..ARGV[2], ARGV[3]
local is = redis.call('HMGET', key, 'session', 'state')
if not is[1] then return 0 end
if isRevoked(is[1], fence) then return 'lease_lost' end
if is[2] ~= 'queued' and not (fence ~= '' and is[2] == 'running') then return 0 end
redis.call('HSET', key, 'state', 'running')
return 1`);

/** ARGV: turn, fence, nonce, new state, allowed state besides `queued`, events, history item or ''. */
export const END_TURN = script(`${HEAD}
local turnId = ARGV[2]
local key = P..'turn:'..turnId
local is = redis.call('HMGET', key, 'session', 'state', 'end')
local id = is[1]
if not id then return 0 end
if is[3] == ARGV[4] then return 1 end
if isRevoked(id, ARGV[3]) then return 'lease_lost' end
if is[2] ~= 'queued' and is[2] ~= ARGV[6] then return 0 end
redis.call('HSET', key, 'state', ARGV[5], 'end', ARGV[4], 'untold', ARGV[7])
redis.call('ZADD', P..'untold', redis.call('ZSCORE', P..'turns:'..id, turnId), turnId)
redis.call('ZREM', P..'open:'..id, turnId)
redis.call('ZREM', P..'open', turnId)
if ARGV[8] ~= '' then redis.call('RPUSH', P..'history:'..id, ARGV[8]) end
return 1`);

/** ARGV: turn. */
export const CLEAR_OUTBOX = script(`${HEAD}
redis.call('HDEL', P..'turn:'..ARGV[2], 'untold')
return redis.call('ZREM', P..'untold', ARGV[2])`);

/** Returns JSON, state and events of each. */
export const OUTBOX = script(`${HEAD}
local ends = {}
for _, turnId in ipairs(redis.call('ZRANGE', P..'untold', 0, -1)) do
  ends[#ends + 1] = redis.call('HMGET', P..'turn:'..turnId, 'turn', 'state', 'untold')
end
return ends`);

/** ARGV: id or ''. Returns JSON and state of each. */
export const OPEN_TURNS = script(`${HEAD}
local id = ARGV[2]
if id ~= '' and not has(id) then return 'session_not_found' end
local turns = {}
for _, turnId in ipairs(redis.call('ZRANGE', id == '' and P..'open' or P..'open:'..id, 0, -1)) do
  turns[#turns + 1] = turn(turnId)
end
return turns`);

/** ARGV: id, offset, limit. Returns the total, then the page. */
export const HISTORY = script(`${HEAD}
local id, from, count = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
if not has(id) then return 'session_not_found' end
local page = count > 0 and redis.call('LRANGE', P..'history:'..id, from, from + count - 1) or {}
return { redis.call('LLEN', P..'history:'..id), page }`);

/** ARGV: id, fence, thread, JSON. */
export const ADD_THREAD = script(`${HEAD}
local id = ARGV[2]
if not has(id) then return 'session_not_found' end
if isRevoked(id, ARGV[3]) then return 'lease_lost' end
local key = P..'threads:'..id
return redis.call('HSETNX', key, ARGV[4], (redis.call('HLEN', key) + 1)..':'..ARGV[5])`);

/** ARGV: id. Unordered. */
export const THREADS = script(`${HEAD}
if not has(ARGV[2]) then return 'session_not_found' end
return redis.call('HVALS', P..'threads:'..ARGV[2])`);

/**
 * ARGV: session, key of the lock of its job, token, milliseconds of the lock, process. Renews the lock. Returns the
 * fence; `lease_lost` if the job belongs to another worker.
 */
export const CLAIM = script(`${HEAD}${IS_OLDER_FENCE}
local id, lock, token = ARGV[2], ARGV[3], ARGV[4]
if not has(id) then return 'session_not_found' end
if redis.call('GET', lock) ~= token then return 'lease_lost' end
redis.call('SET', lock, token, 'PX', ARGV[5])
local time = redis.call('TIME')
local before = fenceNumber(redis.call('HGET', P..'lease:'..id, 'fence') or '')
local fence = string.format('%.0f:%s', math.max(before + 1, time[1] * 1000000 + time[2]), token)
redis.call('HSET', P..'lease:'..id, 'fence', fence, 'holder', ARGV[6], 'lock', lock)
return fence`);

/** ARGV: session, fence. Returns 0 if another process has the session. */
export const RELEASE = script(`${HEAD}
local key = P..'lease:'..ARGV[2]
if redis.call('HGET', key, 'fence') ~= ARGV[3] then return 0 end
redis.call('HDEL', key, 'holder', 'lock')
return 1`);

/** ARGV: session. Returns its process; '' if that has lost it without a release; nil if there is none. */
export const HOLDER = script(`${HEAD}
local is = redis.call('HMGET', P..'lease:'..ARGV[2], 'fence', 'holder', 'lock')
if not is[2] then return false end
return redis.call('GET', is[3] or '') == string.match(is[1], ':(.*)$') and is[2] or ''`);

/** ARGV: prefix of the keys that mark sessions with a job. Returns sessions that have open turns but no job. */
export const WITHOUT_JOB = script(`${HEAD}
local seen, ids = {}, {}
for _, turnId in ipairs(redis.call('ZRANGE', P..'open', 0, -1)) do
  local id = redis.call('HGET', P..'turn:'..turnId, 'session')
  if id and not seen[id] then
    seen[id] = true
    if redis.call('EXISTS', ARGV[2]..id) == 0 then ids[#ids + 1] = id end
  end
end
return ids`);
