import { setTimeout as wait } from "node:timers/promises";
import { ProtocolError, Tool, ToolError, type Context, type ElicitResult } from "@tenon/runtime";

/** Long-running calls: the client receives a task immediately, and requests the result later. */
export class TaskTools {
  /**
   * Greets someone immediately.
   * @param name Name of the person
   */
  @Tool({ readOnly: true, openWorld: false, unknownArguments: "ignore" })
  greet(name: string): string {
    return `Hello, ${name}!`;
  }

  /** Computes for some time. */
  @Tool({ destructive: false, openWorld: false, name: "slow_compute", task: "optional" })
  async slowCompute(
    args: {
      /**
       * Duration of the computation
       * @minimum 0
       * @maximum 3600
       */
      seconds: number;
      /** Repeated in the result */
      label?: string;
    },
    signal: AbortSignal,
  ): Promise<string> {
    await wait(args.seconds * 1000, undefined, { signal });
    return `Computed ${args.label ?? "something"} in ${args.seconds} s.`;
  }

  /** Fails after a while, with a message for the model. */
  @Tool({ readOnly: true, openWorld: false, name: "failing_job", task: "required" })
  async failingJob(signal: AbortSignal): Promise<string> {
    await wait(100, undefined, { signal });
    throw new ToolError("The job failed, as it always does.");
  }

  /** Ends in a protocol error. */
  @Tool({ readOnly: true, openWorld: false, name: "protocol_error_job", task: "optional" })
  async protocolErrorJob(signal: AbortSignal): Promise<string> {
    await wait(100, undefined, { signal });
    throw new ProtocolError(-32603, "The job broke down, as it always does.");
  }

  /**
   * Asks before it deletes.
   * @param filename Name of the file
   */
  @Tool({ destructive: true, openWorld: false, name: "confirm_delete", task: "optional" })
  async confirmDelete(filename: string, ctx: Context): Promise<string> {
    const answer = await ctx.elicit<{ confirm: boolean }>(`Delete ${filename}?`, { key: "confirm" });
    return requireContent(answer).confirm ? `Deleted ${filename}.` : `Kept ${filename}.`;
  }

  /** Asks two questions at once, which can be answered in any order. */
  @Tool({ readOnly: true, openWorld: false, name: "multi_input", task: "optional" })
  async multiInput(ctx: Context): Promise<string> {
    const [writer, reader] = await Promise.all([
      ctx.elicit<{ name: string }>("Who writes?", { key: "writer" }),
      ctx.elicit<{ name: string }>("Who reads?", { key: "reader" }),
    ]);
    return `${requireContent(writer).name} writes to ${requireContent(reader).name}.`;
  }

  /** Asks for a name in the call itself, and continues as a task. */
  @Tool({
    destructive: false,
    openWorld: false,
    name: "test_tool_with_task",
    task: "required",
    taskStart: "handler",
  })
  async askThenWork(ctx: Context): Promise<string> {
    const answer = await ctx.elicit<{ name: string }>("What is your name?", { key: "user_name" });
    ctx.startTask();
    await wait(100, undefined, { signal: ctx.signal });
    return `Hello, ${requireContent(answer).name}! The work is done.`;
  }
}

function requireContent<T>(answer: ElicitResult<T>): T {
  if (answer.action === "accept") return answer.content;
  throw new ToolError(`Cannot continue without an answer (the user chose ${answer.action}).`);
}
