import { setTimeout as wait } from "node:timers/promises";
import { Tool, type Context } from "@tenon/runtime";

/** Tools that report while they work: progress and log messages. */
export class ReportTools {
  /** Reports progress three times. */
  @Tool({ readOnly: true, openWorld: false, name: "test_tool_with_progress" })
  async progress(ctx: Context): Promise<string> {
    for (const done of [0, 50, 100]) {
      ctx.progress(done, 100, `Completed step ${done} of 100`);
      await wait(50, undefined, { signal: ctx.signal });
    }
    return "All steps are done.";
  }

  /** Logs three messages. */
  @Tool({ destructive: false, openWorld: false, name: "test_tool_with_logging" })
  async logging(ctx: Context): Promise<string> {
    ctx.log("info", "Tool execution started");
    await wait(50, undefined, { signal: ctx.signal });
    ctx.log("info", "Tool processing data");
    await wait(50, undefined, { signal: ctx.signal });
    ctx.log("info", "Tool execution completed");
    return "Logged three messages.";
  }

  /** Closes the connection, and responds after the client has reconnected. */
  @Tool({ readOnly: true, openWorld: false, name: "test_reconnection" })
  async reconnect(ctx: Context): Promise<string> {
    ctx.closeStream(50);
    await wait(100, undefined, { signal: ctx.signal });
    return "You came back.";
  }

  /** Logs one message at each of two levels. */
  @Tool({ destructive: false, openWorld: false, name: "test_logging_tool" })
  logOnce(ctx: Context): string {
    ctx.log("debug", { step: "look closely" }, "everything");
    ctx.log("info", "A message for those who asked for it");
    return "Logged.";
  }
}
