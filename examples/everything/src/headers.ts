import { Tool } from "@tenon/runtime";

/** Arguments that a client repeats in HTTP headers, so that a gateway can route by them. */
export class HeaderTools {
  /** Says which region was asked for. */
  @Tool({
    name: "test_x_mcp_header",
    inputSchema: {
      type: "object",
      properties: {
        region: { type: "string", "x-mcp-header": "Region" },
        level: { type: "integer", "x-mcp-header": "Level" },
      },
      additionalProperties: false,
    },
  })
  region(args: { region?: string; level?: number }): string {
    return `region=${args.region ?? ""}`;
  }
}
