/** A string that may become a URL when its `{variables}` are filled in. */
const url = { type: "string", minLength: 1 };

const variable = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    description: { type: "string" },
    isRequired: { type: "boolean" },
    isSecret: { type: "boolean" },
    format: { enum: ["string", "number", "boolean", "filepath"] },
    default: { type: "string" },
    value: { type: "string" },
    placeholder: { type: "string" },
    choices: { type: "array", items: { type: "string" } },
  },
};

const transport = {
  oneOf: [
    { type: "object", required: ["type"], properties: { type: { const: "stdio" } } },
    {
      type: "object",
      required: ["type", "url"],
      properties: { type: { enum: ["streamable-http", "sse"] }, url },
    },
  ],
};

/**
 * Rules of the MCP registry for a server.json with the schema 2025-12-11, and further checks of its publisher, as far as they
 * apply to the files that Tenon writes.
 *
 * @see https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json
 */
export const SERVER_JSON_RULES = {
  type: "object",
  required: ["$schema", "name", "description", "version"],
  properties: {
    $schema: { const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" },
    name: { type: "string", minLength: 3, maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
    title: { type: "string", minLength: 1, maxLength: 100 },
    description: { type: "string", minLength: 1, maxLength: 100 },
    version: { type: "string", maxLength: 255, pattern: "^\\d+\\.\\d+\\.\\d+(?:[-+][\\w.+-]+)?$" },
    websiteUrl: { type: "string", pattern: "^https?://" },
    repository: {
      type: "object",
      required: ["url", "source"],
      properties: {
        url: { type: "string", pattern: "^https://" },
        source: { enum: ["github", "gitlab", "bitbucket"] },
        subfolder: { type: "string", pattern: "^[^/.][^\\\\]*$" },
      },
    },
    packages: {
      type: "array",
      items: {
        type: "object",
        required: ["registryType", "identifier", "transport"],
        additionalProperties: false,
        properties: {
          registryType: { enum: ["npm", "oci", "mcpb"] },
          registryBaseUrl: { const: "https://registry.npmjs.org" },
          identifier: { type: "string" },
          version: { type: "string", minLength: 1, not: { const: "latest" } },
          fileSha256: { type: "string", pattern: "^[a-f0-9]{64}$" },
          runtimeHint: { enum: ["npx", "docker"] },
          runtimeArguments: {
            type: "array",
            items: {
              type: "object",
              required: ["type", "name"],
              properties: { type: { const: "named" }, name: { type: "string" }, value: { type: "string" } },
            },
          },
          environmentVariables: { type: "array", items: variable },
          transport,
        },
        oneOf: [
          {
            required: ["fileSha256"],
            properties: {
              registryType: { const: "mcpb" },
              identifier: { pattern: "^https://(?:github|gitlab)\\.com/[^/]+/[^/]+/(?:-/)?releases/.*mcpb" },
            },
          },
          {
            not: { anyOf: [{ required: ["version"] }, { required: ["registryBaseUrl"] }] },
            properties: {
              registryType: { const: "oci" },
              identifier: { pattern: "^(?:[a-z0-9.-]+/)?[a-z0-9./_-]+:[\\w.-]+$" },
            },
          },
          { required: ["version"], properties: { registryType: { const: "npm" } } },
        ],
      },
    },
    remotes: {
      type: "array",
      items: {
        type: "object",
        required: ["type", "url"],
        properties: {
          type: { enum: ["streamable-http", "sse"] },
          url: { type: "string", pattern: "^https://" },
        },
      },
    },
  },
};
