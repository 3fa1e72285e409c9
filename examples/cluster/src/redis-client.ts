import { createClient } from "@redis/client";

/** One client for what the box office keeps, and for what Tenon does, which connects it. */
export const redisClient = createClient({ url: process.env["TENON_REDIS_URL"] ?? "redis://127.0.0.1:6379" });

export type Redis = typeof redisClient;
