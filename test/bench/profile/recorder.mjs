/**
 * Loaded into a server before its own code: the first SIGUSR2 starts a CPU profile, the second writes it to
 * BENCH_PROFILE and reports that on stderr.
 */
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 100 });
let recording = false;
process.on("SIGUSR2", async () => {
  recording = !recording;
  if (recording) {
    await session.post("Profiler.start");
    process.stderr.write("profile started\n");
    return;
  }
  const { profile } = await session.post("Profiler.stop");
  writeFileSync(String(process.env.BENCH_PROFILE), JSON.stringify(profile));
  process.stderr.write("profile written\n");
});
