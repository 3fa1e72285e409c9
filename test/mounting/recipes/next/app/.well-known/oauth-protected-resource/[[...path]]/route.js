// app/.well-known/oauth-protected-resource/[[...path]]/route.ts
export { GET, OPTIONS } from "../../../mcp/route";
