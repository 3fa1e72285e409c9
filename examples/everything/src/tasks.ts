import { setTimeout as wait } from "node:timers/promises";
import { ProtocolError, Tool, ToolError, type Context, type ElicitAnswer } from "@tenon/runtime";

/** Work that a client need not wait for: it gets a task at once, and asks for the result later. */
export class TaskTools {
  /**
   * Greets at once; there is nothing to wait for.
   * @param name Who is greeted
   */
  @Tool({ unknownArguments: "ignore" })
  greet(name: string): string {
    return `Hello, ${name}!`;
  }

  /** Takes its time. */
  @Tool({ name: "slow_compute", task: "optional" })
  async slowCompute(
    args: {
      /**
       * How long it takes
       * @minimum 0
       * @maximum 3600
       */
      seconds: number;
      /** Comes back with the result */
      label?: string;
    },
    signal: AbortSignal,
  ): Promise<string> {
    await wait(args.seconds * 1000, undefined, { signal });
    return `Computed ${args.label ?? "something"} in ${args.seconds} s.`;
  }

  /** Fails after a while, in words meant for the model. */
  @Tool({ name: "failing_job", task: "required" })
  async failingJob(signal: AbortSignal): Promise<string> {
    await wait(100, undefined, { signal });
    throw new ToolError("The job failed, as it always does.");
  }

  /** Ends in a protocol error. */
  @Tool({ name: "protocol_error_job", task: "optional" })
  async protocolErrorJob(signal: AbortSignal): Promise<string> {
    await wait(100, undefined, { signal });
    throw new ProtocolError(-32603, "The job broke down, as it always does.");
  }

  /**
   * Asks before it deletes.
   * @param filename What is to be deleted
   */
  @Tool({ name: "confirm_delete", task: "optional" })
  async confirmDelete(filename: string, ctx: Context): Promise<string> {
    const answer = await ctx.elicit<{ confirm: boolean }>(`Delete ${filename}?`, { key: "confirm" });
    return accepted(answer).confirm ? `Deleted ${filename}.` : `Kept ${filename}.`;
  }

  /** Asks for two things at once, to be answered in any order. */
  @Tool({ name: "multi_input", task: "optional" })
  async multiInput(ctx: Context): Promise<string> {
    const [writer, reader] = await Promise.all([
      ctx.elicit<{ name: string }>("Who writes?", { key: "writer" }),
      ctx.elicit<{ name: string }>("Who reads?", { key: "reader" }),
    ]);
    return `${accepted(writer).name} writes to ${accepted(reader).name}.`;
  }

  /** Asks for a name in the call itself, and goes on as a task. */
  @Tool({ name: "test_tool_with_task", task: "required", taskStart: "handler" })
  async askThenWork(ctx: Context): Promise<string> {
    const answer = await ctx.elicit<{ name: string }>("What is your name?", { key: "user_name" });
    ctx.startTask();
    await wait(100, undefined, { signal: ctx.signal });
    return `Hello, ${accepted(answer).name}! The work is done.`;
  }
}

function accepted<T>(answer: ElicitAnswer<T>): T {
  if (answer.action === "accept") return answer.content;
  throw new ToolError(`Without an answer this cannot go on (the user said ${answer.action}).`);
}
