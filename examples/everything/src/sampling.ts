import { Tool, type Context, type CreateMessageResult } from "@tenon/runtime";

/** Questions to the client's model, and to the client itself. */
export class SamplingTools {
  /**
   * Has the client's model answer a prompt.
   * @param prompt What the model is asked
   */
  @Tool({ name: "test_sampling" })
  async sample(prompt: string, ctx: Context): Promise<string> {
    const answer = await ctx.sample({ messages: [userSays(prompt)], maxTokens: 100 });
    return `LLM response: ${textOf(answer)}`;
  }

  /** Has the client's model call a tool of this call's own. */
  @Tool({ name: "test_sampling_with_tools" })
  async sampleWithTools(ctx: Context): Promise<string> {
    const { content } = await ctx.sample({
      messages: [userSays("What is the weather in Oslo?")],
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

  /** Needs a client that samples. */
  @Tool({ name: "test_missing_capability" })
  async needsSampling(ctx: Context): Promise<string> {
    return textOf(await ctx.sample({ messages: [userSays("Hello?")], maxTokens: 10 }));
  }

  /** Lists what the client gives access to. */
  @Tool({ name: "test_roots" })
  async roots(ctx: Context): Promise<string[]> {
    return (await ctx.roots()).map((root) => root.uri);
  }
}

export function userSays(text: string) {
  return { role: "user" as const, content: { type: "text" as const, text } };
}

/** The text of what a model said. */
export function textOf({ content }: CreateMessageResult): string {
  return [content]
    .flat()
    .map((block) => (block.type === "text" ? block.text : `[${block.type}]`))
    .join(" ");
}
