import { Tool } from "@tenon/runtime";

/** Arguments that clients repeat in HTTP headers, so that a gateway can use them for routing. */
export class HeaderTools {
  /** Returns the requested region. */
  @Tool({ readOnly: true, openWorld: false, name: "test_x_mcp_header" })
  region(args: {
    /** @header Region */
    region?: string;
    /**
     * @integer
     * @header Level
     */
    level?: number;
  }): string {
    return `region=${args.region ?? ""}`;
  }
}
