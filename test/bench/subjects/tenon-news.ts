import { type Context, Resource, Tool } from "@tenon/runtime";

export class News {
  /** The news of the day. */
  @Resource("news://today")
  today(): string {
    return "No news.";
  }

  /** Tells whoever has subscribed that there is news. */
  @Tool()
  announce(ctx: Context): string {
    ctx.notify.resourceUpdated("news://today");
    return "announced";
  }
}
