import { Prompt, Resource, Tool, type Context } from "@tenon/runtime";

/** Lists that change while the server runs, and a resource whose content does. */
export class Changes {
  /** The current state, which the decorators read for every list. */
  static readonly shown = { tool: false, prompt: false };
  #watched = 0;

  /** Shows or hides the tool `test_hidden_tool`, and notifies clients. */
  @Tool({ destructive: false, openWorld: false, name: "test_trigger_tool_change" })
  changeTools(ctx: Context): string {
    Changes.shown.tool = !Changes.shown.tool;
    ctx.notify.toolsChanged();
    return `test_hidden_tool is ${Changes.shown.tool ? "shown" : "hidden"}.`;
  }

  /** Shows or hides the prompt `test_hidden_prompt`, and notifies clients. */
  @Tool({ destructive: false, openWorld: false, name: "test_trigger_prompt_change" })
  changePrompts(ctx: Context): string {
    Changes.shown.prompt = !Changes.shown.prompt;
    ctx.notify.promptsChanged();
    return `test_hidden_prompt is ${Changes.shown.prompt ? "shown" : "hidden"}.`;
  }

  /** Changes the watched resource, and notifies its subscribers. */
  @Tool({ destructive: false, openWorld: false, name: "test_trigger_resource_update" })
  changeResource(ctx: Context): string {
    this.#watched++;
    ctx.notify.resourceUpdated("test://watched-resource");
    return `Changed ${this.#watched} times.`;
  }

  /** Exists only after `test_trigger_tool_change`. */
  @Tool({ readOnly: true, openWorld: false, name: "test_hidden_tool", enabled: () => Changes.shown.tool })
  hiddenTool(): string {
    return "You found me.";
  }

  /** Exists only after `test_trigger_prompt_change`. */
  @Prompt({ name: "test_hidden_prompt", enabled: () => Changes.shown.prompt })
  hiddenPrompt(): string {
    return "You found me.";
  }

  /** Changes with each call to `test_trigger_resource_update`. */
  @Resource("test://watched-resource", { name: "watched-resource", mimeType: "text/plain" })
  watched(): string {
    return `Changed ${this.#watched} times.`;
  }
}
