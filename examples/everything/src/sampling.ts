import { Tool, type Context, type CreateMessageResult } from "@tenon/runtime";

/** Requests to the client's model, and to the client itself. */
export class SamplingTools {
  /**
   * Sends a prompt to the client's model.
   * @param prompt Prompt for the model
   */
  @Tool({ readOnly: true, openWorld: false, name: "test_sampling" })
  async sample(prompt: string, ctx: Context): Promise<string> {
    const answer = await ctx.sample({ messages: [userMessage(prompt)], maxTokens: 100 });
    return `LLM response: ${getText(answer)}`;
  }

  /** Lets the client's model call a tool that this request defines. */
  @Tool({ readOnly: true, openWorld: false, name: "test_sampling_with_tools" })
  async sampleWithTools(ctx: Context): Promise<string> {
    const { content } = await ctx.sample({
      messages: [userMessage("What is the weather in Oslo?")],
      maxTokens: 100,
      tools: [
        {
          name: "weather",
          description: "The weather of a city.",
          inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
        },
      ],
      toolChoice: { mode: "required" },
    });
    const used = [content].flat().filter((block) => block.type === "tool_use");
    return `The model called ${used.map((block) => block.name).join(", ") || "nothing"}.`;
  }

  /** Requires a client that supports sampling. */
  @Tool({ readOnly: true, openWorld: false, name: "test_missing_capability" })
  async needsSampling(ctx: Context): Promise<string> {
    return getText(await ctx.sample({ messages: [userMessage("Hello?")], maxTokens: 10 }));
  }

  /** Lists the client's roots. */
  @Tool({ readOnly: true, openWorld: false, name: "test_roots" })
  async roots(ctx: Context): Promise<string[]> {
    return (await ctx.roots()).map((root) => root.uri);
  }
}

export function userMessage(text: string) {
  return { role: "user" as const, content: { type: "text" as const, text } };
}

/** Returns the text of a model's reply. */
export function getText({ content }: CreateMessageResult): string {
  return [content]
    .flat()
    .map((block) => (block.type === "text" ? block.text : `[${block.type}]`))
    .join(" ");
}
