import { bullmq } from "@tenon/runtime/bullmq";
import { redis } from "@tenon/runtime/redis";
import { createServer } from "@tenon/runtime/server";
import { serve } from "@tenon/runtime/serve";
import { createTasksFixture } from "./application.js";

// A process with tasks on the queue of the Redis that `TENON_REDIS_URL` names.
const config = { store: redis(), tasks: bullmq(undefined, { stalledMs: 1000 }) };
await serve(createServer(createTasksFixture(config)), process.argv.slice(2));
