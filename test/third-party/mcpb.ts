export { getMcpConfigForManifest, type McpbManifestAny } from "@anthropic-ai/mcpb";
