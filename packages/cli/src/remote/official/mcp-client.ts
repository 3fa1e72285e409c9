/**
 * The official client. The published package contains this module with everything that it imports, since the client and its
 * libraries would be a seventh of what a new project installs (`scripts/bundle-mcp-client.js`).
 * @module
 */
export {
  Client,
  InsufficientScopeError,
  LOG_LEVEL_META_KEY,
  OAuthError,
  ProtocolError,
  RegistrationRejectedError,
  SdkError,
  SdkErrorCode,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
export { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
export { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
export type {
  ClientCapabilities,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  RequestOptions,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
  Transport,
} from "@modelcontextprotocol/client";
