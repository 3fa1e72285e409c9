/**
 * The scripts that Redis runs atomically. A value is stored as its version, a colon, and its text.
 * @module
 */
import { createScript } from "./commands.js";

/** KEYS: the key. ARGV: the expected version, the new text, its time to live. Returns 1 if the version matched. */
export const setIfVersion = createScript(`
local version = ARGV[1] .. ':'
if redis.call('GETRANGE', KEYS[1], 0, #version - 1) ~= version then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`);

/** KEYS: the key. ARGV: the expected version. Returns 1 if it matched. */
export const deleteIfVersion = createScript(`
local version = ARGV[1] .. ':'
if redis.call('GETRANGE', KEYS[1], 0, #version - 1) ~= version then return 0 end
return redis.call('DEL', KEYS[1])`);

/**
 * KEYS: the stream. ARGV: the maximum number of bytes, its time to live, the topic of its readers, the values. Returns
 * their IDs.
 *
 * A stream is a list: when it began (in microseconds since 1970), the number of the first stored entry, the number of
 * bytes, and then the entries, which are numbered consecutively. For streams with few entries, as nearly all are, this
 * takes a tenth of the memory of Redis's own streams.
 */
export const append = createScript(`
local key, maxBytes = KEYS[1], tonumber(ARGV[1])
local head = redis.call('LINDEX', key, 0)
local began, first, bytes
if head then
  began, first, bytes = string.match(head, '(%d+) (%d+) (%d+)')
else
  local time = redis.call('TIME')
  began, first, bytes = string.format('%.0f', time[1] * 1000000 + time[2]), 1, 0
  redis.call('RPUSH', key, '')
end
first, bytes = tonumber(first), tonumber(bytes)
local present = redis.call('LLEN', key) - 1
local ids = {}
for index = 4, #ARGV do
  redis.call('RPUSH', key, ARGV[index])
  bytes = bytes + #ARGV[index]
  ids[#ids + 1] = began .. '-' .. string.format('%.0f', first + present + #ids)
end
local lost = 0
while bytes > maxBytes and lost < present do
  for _, value in ipairs(redis.call('LRANGE', key, lost + 1, math.min(lost + 16, present))) do
    if bytes <= maxBytes then break end
    bytes = bytes - #value
    lost = lost + 1
  end
end
-- The last removed entry leaves its slot to the header.
if lost > 0 then redis.call('LTRIM', key, lost, -1) end
redis.call('LSET', key, 0, began .. ' ' .. string.format('%.0f %.0f', first + lost, bytes))
redis.call('PEXPIRE', key, ARGV[2])
redis.call('PUBLISH', ARGV[3], '')
return ids`);

/**
 * KEYS: the stream. ARGV: the entry to read after (when the stream began, and its number; both empty for all), the
 * maximum number of entries. Returns whether entries were missed, when the stream began, the number of the first
 * returned entry, and the values.
 */
export const read = createScript(`
local key, began, after = KEYS[1], ARGV[1], tonumber(ARGV[2])
local head = redis.call('LINDEX', key, 0)
if not head then return { began == '' and 0 or 1, '', 0 } end
local present, first = string.match(head, '(%d+) (%d+)')
first = tonumber(first)
local missed = 0
if began == '' then
  after = first - 1
elseif began ~= present then
  missed = 1
  after = tonumber(began) < tonumber(present) and first - 1 or math.huge
elseif after < first - 1 then
  missed = 1
  after = first - 1
end
local last = first + redis.call('LLEN', key) - 2
if after > last then return { 1, present, 0 } end
local start = after - first + 2
local reply = redis.call('LRANGE', key, start, start + ARGV[3] - 1)
for index, header in ipairs({ missed, present, after + 1 }) do table.insert(reply, index, header) end
return reply`);

/**
 * KEYS: the counts. ARGV: for each, the number of allowed calls and the length of its window. Returns nothing if no
 * limit is exceeded, otherwise the index of the limit with the longest wait, and the wait.
 *
 * Counts like `CallWindow` in memory. Up to 16 calls are counted one by one. With higher limits, calls within a
 * sixteenth of the window form a part, and leave the window with the last of them. Each part consists of when it began,
 * when its latest call leaves the window, and the number of its calls.
 */
export const consume = createScript(`
local PARTS = 16
local time = redis.call('TIME')
local at = time[1] * 1000 + time[2] / 1000
local windows, exceeded, longest = {}, nil, 0
for index, key in ipairs(KEYS) do
  local allowed = tonumber(ARGV[index * 2 - 1])
  local packed = redis.call('GET', key)
  local parts, calls = {}, 0
  local kept = packed and cmsgpack.unpack(packed) or {}
  for first = 1, #kept, 3 do
    if #parts > 0 or kept[first + 1] > at then
      parts[#parts + 1] = kept[first]
      parts[#parts + 1] = kept[first + 1]
      parts[#parts + 1] = kept[first + 2]
      calls = calls + kept[first + 2]
    end
  end
  windows[index] = parts
  local first, wait = 1, 0
  while first < #parts and calls >= allowed do
    calls = calls - parts[first + 2]
    wait = parts[first + 1] - at
    first = first + 3
  end
  if calls >= allowed then wait = 0 end
  if wait > longest then
    exceeded = index - 1
    longest = wait
  end
end
if exceeded then return { exceeded, math.ceil(longest) } end
for index, key in ipairs(KEYS) do
  local allowed, windowMs = tonumber(ARGV[index * 2 - 1]), tonumber(ARGV[index * 2])
  local parts = windows[index]
  local last = #parts - 2
  if last > 0 and allowed > PARTS and at - parts[last] < windowMs / PARTS then
    parts[last + 1] = math.max(parts[last + 1], at + windowMs)
    parts[last + 2] = parts[last + 2] + 1
  else
    parts[#parts + 1] = at
    parts[#parts + 1] = at + windowMs
    parts[#parts + 1] = 1
  end
  redis.call('SET', key, cmsgpack.pack(parts), 'PX', math.ceil(windowMs))
end
return nil`);

/** The time for which the last fencing token of a key is stored, in milliseconds. */
const FENCING_TOKEN_TTL_MS = 3_600_000;

/**
 * KEYS: the key, its fencing token. ARGV: the holder, the time to live. Returns the token, or nothing while another
 * holder has the lease.
 *
 * Tokens are microseconds since 1970, and each is greater than the one before. If the last token has expired, only
 * Redis's clock ensures this; to break the order, it would have to be set back by an hour.
 */
export const lease = createScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return nil end
local time = redis.call('TIME')
local fence = math.max(time[1] * 1000000 + time[2], tonumber(redis.call('GET', KEYS[2]) or 0) + 1)
fence = string.format('%.0f', fence)
redis.call('SET', KEYS[2], fence, 'PX', ARGV[2] + ${FENCING_TOKEN_TTL_MS})
redis.call('SET', KEYS[1], fence .. ':' .. ARGV[1], 'PX', ARGV[2])
return fence`);

/**
 * KEYS: the key, its fencing token. ARGV: the token of the lease, the time to live. Returns 1 if the lease was still
 * held.
 */
export const renew = createScript(`
local version = ARGV[1] .. ':'
if redis.call('GETRANGE', KEYS[1], 0, #version - 1) ~= version then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2] + ${FENCING_TOKEN_TTL_MS})
return 1`);
