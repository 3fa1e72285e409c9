import type { Redis } from "./redis-client.js";

/** How many seats each house has. */
const SEATS: Readonly<Record<string, number>> = { hamlet: 120, macbeth: 80, tempest: 40 };

/** Sells, unless it has been sold under this key before or there are too few. */
const SELL = `
if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 1 then return 1 end
local sold = 0
for _, seats in ipairs(redis.call("HVALS", KEYS[1])) do sold = sold + seats end
if sold + ARGV[2] > tonumber(ARGV[3]) then return 0 end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
return 1`;

/** What has been sold, in the Redis that all replicas share: a hash for each play, of seats by idempotency key. */
export class Sales {
  constructor(private readonly redis: Redis) {}

  /** `undefined` for a play that is not on. */
  async seatsLeft(play: string): Promise<number | undefined> {
    const seats = SEATS[play];
    if (seats === undefined) return undefined;
    const sold = await this.redis.hVals(keyOf(play));
    return sold.reduce((left, each) => left - Number(each), seats);
  }

  /**
   * Sells once for each key, however often it is called.
   *
   * @returns false when there are too few seats
   */
  async sell(play: string, seats: number, idempotencyKey: string): Promise<boolean> {
    const all = String(SEATS[play] ?? 0);
    const sold = await this.redis.eval(SELL, {
      keys: [keyOf(play)],
      arguments: [idempotencyKey, String(seats), all],
    });
    return Number(sold) === 1;
  }
}

function keyOf(play: string): string {
  return `box-office:sales:${play}`;
}
