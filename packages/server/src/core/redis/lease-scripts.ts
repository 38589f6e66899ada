import { redisScript as script } from '../../redis/redis-script.js';

// Keys: see store/redis/scripts.ts. A session with open turns is always leased or ready. Times are those of Redis.

const HEAD = `
local P = ARGV[1]
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
`;

/** ARGV: process, milliseconds. Returns session and fence, or nothing. */
export const TAKE = script(`${HEAD}
local id = redis.call('ZRANGE', P..'leases', '-inf', now(), 'BYSCORE', 'LIMIT', 0, 1)[1]
  or redis.call('ZRANGE', P..'ready', 0, 0)[1]
if not id then return false end
redis.call('ZREM', P..'ready', id)
redis.call('ZADD', P..'leases', now() + tonumber(ARGV[3]), id)
redis.call('HSET', P..'lease:'..id, 'holder', ARGV[2])
return { id, redis.call('HINCRBY', P..'lease:'..id, 'fence', 1) }`);

/** ARGV: milliseconds, then session and fence of each. Returns lost sessions. */
export const RENEW = script(`${HEAD}
local lost = {}
for at = 3, #ARGV, 2 do
  local id = ARGV[at]
  local is = redis.call('HMGET', P..'lease:'..id, 'fence', 'holder')
  if is[1] == ARGV[at + 1] and is[2] then redis.call('ZADD', P..'leases', now() + tonumber(ARGV[2]), id)
  else lost[#lost + 1] = id end
end
return lost`);

/** ARGV: session, fence, `idle` or `always`. `idle` keeps the lease if a turn is open. */
export const RELEASE = script(`${HEAD}
local id = ARGV[2]
local is = redis.call('HMGET', P..'lease:'..id, 'fence', 'holder')
if is[1] ~= ARGV[3] or not is[2] then return 'lost' end
local oldest = redis.call('ZRANGE', P..'open:'..id, 0, 0, 'WITHSCORES')
if oldest[1] and ARGV[4] == 'idle' then return 'kept' end
redis.call('HDEL', P..'lease:'..id, 'holder')
redis.call('ZREM', P..'leases', id)
if oldest[1] then
  redis.call('ZADD', P..'ready', oldest[2], id)
  redis.call('PUBLISH', P..'work', '1')
end
return 'released'`);

/** ARGV: session. */
export const HOLDER = script(`${HEAD} return redis.call('HGET', P..'lease:'..ARGV[2], 'holder')`);
