/** The source of a server with something of everything that the playground shows. */
export const TRIP_PLANNER = `import { Prompt, Resource, Tool, ToolError, type Content, type Context, type Principal } from "@tenon/runtime";

/** A way to travel by rail. */
interface Train {
  by: "train";
  /** The class of the carriage. */
  carriage: "first" | "second";
}

/** A way to travel by air. */
interface Plane {
  by: "plane";
  /** @minimum 0 @maximum 3 */
  bags: number;
}

interface Leg {
  from: string;
  to: string;
  minutes: number;
}

/** Plans trips, and writes about them. */
export class Trips {
  /**
   * Plan a trip.
   * @param to Where to go
   * @param how The way to travel
   * @param days How long to stay @integer @minimum 1 @maximum 14
   * @param window Earliest and latest hour of departure
   */
  @Tool({ readOnly: true })
  plan(to: string, how: Train | Plane, days: number = 3, window?: [number, number]): Leg[] {
    const minutes = how.by === "train" ? 400 : 95 + how.bags * 10;
    const via = how.by === "train" ? "Göteborg" : "Copenhagen";
    return [
      { from: "Oslo", to: via, minutes: minutes / 2 + (window?.[0] ?? 0) },
      { from: via, to, minutes: minutes / 2 + days },
    ];
  }

  /** Book a trip, once somebody has said who travels. */
  @Tool({ destructive: false })
  async book(to: string, ctx: Context): Promise<string> {
    const answer = await ctx.elicit<{ name: string; seat: "window" | "aisle"; /** @minimum 1 */ travelers: number }>(
      \`Who travels to \${to}?\`,
    );
    if (answer.action !== "accept") return "Nothing was booked.";
    await ctx.progress(1, 2, "asking the railway");
    ctx.log("info", "A seat was found.");
    return \`Booked for \${answer.content.name} and \${answer.content.travelers - 1} others, \${answer.content.seat}.\`;
  }

  /** Write a note about a city. */
  @Tool({ readOnly: true })
  write(city: string): Content[] {
    return [
      { type: "text", text: \`# \${city}\\n\\n- **two** days\\n- [a map](https://example.com/map)\\n\\n<img src=x onerror=alert(1)>![spy](https://example.com/spy.png)\` },
      { type: "image", mimeType: "image/svg+xml", data: "PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIzMjAiIGhlaWdodD0iOTAiPjxyZWN0IHdpZHRoPSIzMjAiIGhlaWdodD0iOTAiIGZpbGw9IiMzNTZiM2MiLz48Y2lyY2xlIGN4PSI3MCIgY3k9IjQ1IiByPSIyNSIgZmlsbD0iI2Y3ZTZhMCIvPjwvc3ZnPg==" },
      { type: "resource_link", uri: "guide://Bergen", name: "guide", title: "The guide", mimeType: "text/markdown" },
    ];
  }

  /** The folders that the client has opened. */
  @Tool({ readOnly: true })
  async folders(ctx: Context): Promise<string[]> {
    return (await ctx.roots()).map(({ uri }) => uri);
  }

  /** The bell of a station. */
  @Tool({ readOnly: true })
  bell(): Content {
    return { type: "audio", mimeType: "audio/wav", data: "UklGRjQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YRAAAACAgICAgICAgICAgICAgICA" };
  }

  /** Returns the caller. */
  @Tool({ readOnly: true })
  whoami(user?: Principal): string {
    return user ? \`\${user.subject}, \${user.claims["role"]}: \${user.scopes.join(", ")}\` : "nobody";
  }

  /** Ask the model for a motto. */
  @Tool({ readOnly: true })
  async motto(ctx: Context): Promise<string> {
    const reply = await ctx.sample({ messages: [{ role: "user", content: { type: "text", text: "A motto, please." } }], maxTokens: 50 });
    const { content } = reply;
    if (Array.isArray(content) || content.type !== "text") throw new ToolError("No text.");
    return content.text;
  }

  /** Sights of a city. @mimeType text/markdown */
  @Resource("guide://{city}")
  guide(city: string): string {
    return \`# Guide to \${city}\\n\\nRain, and **fish**.\`;
  }

  /** Have a model plan a trip. */
  @Prompt()
  advise(city: string, mood: "calm" | "busy"): string {
    return \`Plan a \${mood} trip to \${city}.\`;
  }
}
`;
