import { defineServer } from "@tenon/runtime";
import { redis } from "@tenon/runtime/redis";

export default defineServer(process.env["BENCH_STORE"] === "none" ? {} : { store: redis() });
