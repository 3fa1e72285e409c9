import { Prompt, Tool, ToolError, type Context, type ElicitResult } from "@tenon/runtime";
import { getText, userMessage } from "./sampling.js";

/**
 * Calls that need several exchanges. Each handler is written as if the client answered immediately. Clients of 2026-07-28
 * receive the questions as a result and call again with the answers.
 */
export class InputRequiredTools {
  /** Asks for a name. */
  @Tool({ readOnly: true, openWorld: false, name: "test_input_required_result_elicitation" })
  async elicitation(ctx: Context): Promise<string> {
    return `Hello, ${await askName(ctx)}!`;
  }

  /** Asks the client's model a question. */
  @Tool({ readOnly: true, openWorld: false, name: "test_input_required_result_sampling" })
  async sampling(ctx: Context): Promise<string> {
    const messages = [userMessage("What is the capital of France?")];
    return getText(await ctx.sample({ messages, maxTokens: 100 }, { key: "capital_question" }));
  }

  /** Asks for the client's roots. */
  @Tool({ readOnly: true, openWorld: false, name: "test_input_required_result_list_roots" })
  async listRoots(ctx: Context): Promise<string> {
    const roots = await ctx.roots({ key: "client_roots" });
    return roots.map((root) => `${root.name ?? "root"}: ${root.uri}`).join("\n");
  }

  /** Asks for a confirmation after an effect that must not be repeated. */
  @Tool({ destructive: false, openWorld: false, name: "test_input_required_result_request_state" })
  async requestState(ctx: Context): Promise<string> {
    const state = await ctx.step("work", () => "state-ok");
    await askConfirmation(ctx);
    return state;
  }

  /** Asks for three things at once. */
  @Tool({ readOnly: true, openWorld: false, name: "test_input_required_result_multiple_inputs" })
  async multipleInputs(ctx: Context): Promise<string> {
    const [name, greeting, roots] = await Promise.all([
      askName(ctx),
      ctx.sample({ messages: [userMessage("Generate a greeting")], maxTokens: 50 }, { key: "greeting" }),
      ctx.roots({ key: "client_roots" }),
    ]);
    return `${getText(greeting)}, ${name}! You share ${roots.length} roots.`;
  }

  /** Asks twice, one question after the other. */
  @Tool({ readOnly: true, openWorld: false, name: "test_input_required_result_multi_round" })
  async multiRound(ctx: Context): Promise<string> {
    const first = await ctx.elicit<{ name: string }>("Step 1: What is your name?", { key: "step1" });
    const { name } = requireContent(first);
    const second = await ctx.elicit<{ color: string }>("Step 2: What is your favorite color?", {
      key: "step2",
    });
    return `${name} likes ${requireContent(second).color}.`;
  }

  /** Asks for a confirmation. The client must return the state unchanged. */
  @Tool({ readOnly: true, openWorld: false, name: "test_input_required_result_tampered_state" })
  async tamperedState(ctx: Context): Promise<string> {
    await askConfirmation(ctx);
    return "Confirmed.";
  }

  /** Asks only questions that the client supports. */
  @Tool({ readOnly: true, openWorld: false, name: "test_input_required_result_capabilities" })
  async capabilities(ctx: Context): Promise<string> {
    const { elicitation, sampling } = ctx.client.capabilities;
    if (sampling) {
      const messages = [userMessage("Say something.")];
      return getText(await ctx.sample({ messages, maxTokens: 50 }, { key: "greeting" }));
    }
    if (elicitation) return `Hello, ${await askName(ctx)}!`;
    return "The client supports no questions.";
  }

  /** Asks for its context first. */
  @Prompt({ name: "test_input_required_result_prompt" })
  async prompt(ctx: Context): Promise<string> {
    const answer = await ctx.elicit<{ context: string }>("What context should the prompt use?", {
      key: "user_context",
    });
    return `Consider this: ${requireContent(answer).context}`;
  }
}

async function askName(ctx: Context): Promise<string> {
  return requireContent(await ctx.elicit<{ name: string }>("What is your name?", { key: "user_name" })).name;
}

async function askConfirmation(ctx: Context): Promise<void> {
  requireContent(await ctx.elicit<{ ok: boolean }>("Please confirm", { key: "confirm" }));
}

function requireContent<T>(answer: ElicitResult<T>): T {
  if (answer.action === "accept") return answer.content;
  throw new ToolError(`Cannot continue without an answer (the user chose ${answer.action}).`);
}
