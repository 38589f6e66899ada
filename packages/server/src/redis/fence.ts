/**
 * Identifies the holder of a session, as `<number>:<token>`. The number grows with each holder. It is the time of
 * Redis in microseconds, because a counter would repeat after a failover that loses its last value. The token is that
 * of the job.
 */
export type Fence = string;

/** Lua: whether a fence is older than the stored one, or has the same number and another token. */
export const IS_OLDER_FENCE = `
local function fenceNumber(fence) return tonumber(string.match(fence or '', '^%d+') or 0) end
local function isOlderFence(fence, stored)
  local one, other = fenceNumber(fence), fenceNumber(stored)
  return one < other or (one == other and fence ~= stored)
end
`;
