import { type Context, Resource, Tool } from "@tenon/runtime";

export class News {
  /** The news of the day. */
  @Resource("news://today")
  today(): string {
    return "No news.";
  }

  /** Notifies the subscribers of news. */
  @Tool()
  announce(ctx: Context): string {
    ctx.notify.resourceUpdated("news://today");
    return "announced";
  }
}
