import { createClient } from "@redis/client";

/** The Redis client of the box office and of Tenon, which connects it. */
export const redisClient = createClient({ url: process.env["TENON_REDIS_URL"] ?? "redis://127.0.0.1:6379" });

export type Redis = typeof redisClient;
