import type { Redis } from "./redis-client.js";

/** The number of seats for each play. */
const SEATS: Readonly<Record<string, number>> = { hamlet: 120, macbeth: 80, tempest: 40 };

/** Sells seats unless this key was used before or not enough seats are left. */
const SELL = `
if redis.call("HEXISTS", KEYS[1], ARGV[1]) == 1 then return 1 end
local sold = 0
for _, seats in ipairs(redis.call("HVALS", KEYS[1])) do sold = sold + seats end
if sold + ARGV[2] > tonumber(ARGV[3]) then return 0 end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
return 1`;

/** The sold seats in Redis, which all replicas share. Each play has a hash from idempotency keys to numbers of seats. */
export class Sales {
  constructor(private readonly redis: Redis) {}

  /** @returns undefined for an unknown play */
  async seatsLeft(play: string): Promise<number | undefined> {
    const seats = SEATS[play];
    if (seats === undefined) return undefined;
    const sold = await this.redis.hVals(toKey(play));
    return sold.reduce((left, each) => left - Number(each), seats);
  }

  /**
   * Sells seats once for each key.
   *
   * @returns false if not enough seats are left
   */
  async sell(play: string, seats: number, idempotencyKey: string): Promise<boolean> {
    const all = String(SEATS[play] ?? 0);
    const sold = await this.redis.eval(SELL, {
      keys: [toKey(play)],
      arguments: [idempotencyKey, String(seats), all],
    });
    return Number(sold) === 1;
  }
}

function toKey(play: string): string {
  return `box-office:sales:${play}`;
}
