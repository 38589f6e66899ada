import { IS_OLDER_FENCE } from '../../redis/fence.js';
import { redisScript as script } from '../../redis/redis-script.js';

// KEYS: meta (hash), events (stream), ids (hash: event id → seq), writers (hash: writer → its last step). Stream ids:
// `<seq>-0` is an event; `<last seq>-1` marks a finished session, `-2` a deleted one.

/** Returns 1, or 0 if the session exists. */
export const CREATE = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
redis.call('HSET', KEYS[1], 'last', 0, 'first', 1, 'bytes', 0, 'finished', 0)
return 1`);

/**
 * ARGV: writer, step number, time, fence or '', then type, data, event id, thread id and bytes of each event.
 * Returns a seq per event, negative for a repeat. A resent step returns its first reply again; one that arrives after
 * a later one, as on the connection before, has no effect.
 */
export const APPEND = script(`${IS_OLDER_FENCE}
local meta = redis.call('HMGET', KEYS[1], 'last', 'bytes', 'finished', 'fence')
if not meta[1] then return 'session_not_found' end
local before = redis.call('HGET', KEYS[4], ARGV[1])
if before then
  local step = cjson.decode(before)
  if step.step == ARGV[2] then return step.seqs end
  if tonumber(step.step) > tonumber(ARGV[2]) then return {} end
end
if meta[3] == '1' then return 'session_finished' end
if ARGV[4] ~= '' then
  if isOlderFence(ARGV[4], meta[4] or '') then return 'lease_lost' end
  redis.call('HSET', KEYS[1], 'fence', ARGV[4])
end
local last, bytes, seqs = tonumber(meta[1]), tonumber(meta[2]), {}
for at = 5, #ARGV, 5 do
  local id = ARGV[at + 2]
  local known = id ~= '' and redis.call('HGET', KEYS[3], id)
  if known then
    seqs[#seqs + 1] = -tonumber(known)
  else
    last = last + 1
    bytes = bytes + tonumber(ARGV[at + 4])
    redis.call('XADD', KEYS[2], string.format('%.0f-0', last), 'type', ARGV[at], 'data', ARGV[at + 1], 'id', id,
      'thread', ARGV[at + 3], 'at', ARGV[3], 'bytes', ARGV[at + 4])
    if id ~= '' then redis.call('HSET', KEYS[3], id, last) end
    seqs[#seqs + 1] = last
  end
end
redis.call('HSET', KEYS[1], 'last', last, 'bytes', bytes)
redis.call('HSET', KEYS[4], ARGV[1], cjson.encode({ step = ARGV[2], seqs = seqs }))
redis.call('PEXPIRE', KEYS[4], 3600000)
return seqs`);

/** ARGV: after, before or '', limit, bytes. Returns first, last, finished, entries. */
export const READ = script(`
local meta = redis.call('HMGET', KEYS[1], 'first', 'last', 'finished')
if not meta[1] then return 'session_not_found' end
local last, limit, bytes, page = tonumber(meta[2]), tonumber(ARGV[3]), 0, {}
local nextSeq, before = tonumber(ARGV[1]) + 1, math.min(tonumber(ARGV[2]) or last + 1, last + 1)
while #page < limit and nextSeq < before do
  local entries = redis.call('XRANGE', KEYS[2], string.format('%.0f-0', nextSeq), string.format('%.0f-0', before - 1),
    'COUNT', math.min(64, limit - #page))
  if #entries == 0 then break end
  for _, entry in ipairs(entries) do
    nextSeq = tonumber(string.match(entry[1], '^%d+')) + 1
    bytes = bytes + tonumber(entry[2][12])
    if #page > 0 and bytes > tonumber(ARGV[4]) then return { meta[1], meta[2], meta[3], page } end
    page[#page + 1] = entry
  end
end
return { meta[1], meta[2], meta[3], page }`);

/** ARGV: events, bytes and oldest time to keep, or ''. Returns the first kept seq. */
export const EVICT = script(`
local meta = redis.call('HMGET', KEYS[1], 'first', 'last', 'bytes')
if not meta[1] then return 'session_not_found' end
local first, last, bytes = tonumber(meta[1]), tonumber(meta[2]), tonumber(meta[3])
local maxEvents, maxBytes, oldest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local done = false
while first <= last and not done do
  local entries = redis.call('XRANGE', KEYS[2], string.format('%.0f-0', first), string.format('%.0f-0', last), 'COUNT', 64)
  if #entries == 0 then break end
  for _, entry in ipairs(entries) do
    local fields = entry[2]
    local isOld = oldest and tonumber(fields[10]) < oldest
    local isTooMany = maxEvents and last + 1 - first > maxEvents
    local isTooLarge = maxBytes and bytes > maxBytes
    if not (isOld or isTooMany or isTooLarge) then done = true break end
    bytes = bytes - tonumber(fields[12])
    if fields[6] ~= '' then redis.call('HDEL', KEYS[3], fields[6]) end
    first = first + 1
  end
end
redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', first))
redis.call('HSET', KEYS[1], 'first', first, 'bytes', bytes)
return first`);

/** ARGV: event id. Returns its seq, or 0. */
export const SEQ_OF = script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 'session_not_found' end
return tonumber(redis.call('HGET', KEYS[3], ARGV[1]) or 0)`);

export const FINISH = script(`
local meta = redis.call('HMGET', KEYS[1], 'last', 'finished')
if not meta[1] then return 'session_not_found' end
if meta[2] == '1' then return 1 end
redis.call('HSET', KEYS[1], 'finished', 1)
redis.call('XADD', KEYS[2], string.format('%.0f-1', tonumber(meta[1])), 'finished', 1)
return 1`);

/** The stream keeps its last entry for a minute, for blocked readers. */
export const DELETE = script(`
local last = redis.call('HGET', KEYS[1], 'last')
if not last then return 'session_not_found' end
redis.call('DEL', KEYS[1], KEYS[3], KEYS[4])
local id = string.format('%.0f-2', tonumber(last))
redis.call('XADD', KEYS[2], id, 'deleted', 1)
redis.call('XTRIM', KEYS[2], 'MINID', id)
redis.call('PEXPIRE', KEYS[2], 60000)
return 1`);
