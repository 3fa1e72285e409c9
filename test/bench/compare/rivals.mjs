/**
 * The frameworks of the comparison. Each has a folder in `test/bench/rivals` with its server and its locked packages.
 * @module
 */

/**
 * @typedef {object} Rival
 * @property {string} name the name of its folder
 * @property {string} label its name on the page
 * @property {string} package the package that gives it its version
 * @property {string} site where its documentation is
 * @property {readonly ("stdio" | "http")[]} transports
 * @property {string[]} [build] a program of its packages, and arguments, that builds the server
 * @property {true} [needsNewerNode] it does not run on Node 20
 * @property {{ stdio: string, http: string }} [entries] the files that start the server (default: `server.mjs`)
 * @property {true} [isBundled] its build contains all packages, so that a deployed server has none
 */

/** @type {readonly Rival[]} */
export const RIVALS = [
  {
    name: "tenon",
    label: "Tenon",
    package: "@tenon/runtime",
    site: "../getting-started.md",
    transports: ["stdio", "http"],
    entries: { stdio: "dist/server.js", http: "dist/server.js" },
  },
  {
    name: "sdk-v1",
    label: "SDK v1",
    package: "@modelcontextprotocol/sdk",
    site: "https://github.com/modelcontextprotocol/typescript-sdk",
    transports: ["stdio", "http"],
  },
  {
    name: "sdk-v2",
    label: "SDK v2",
    package: "@modelcontextprotocol/server",
    site: "https://github.com/modelcontextprotocol/typescript-sdk",
    transports: ["stdio", "http"],
  },
  {
    name: "fastmcp",
    label: "FastMCP",
    package: "fastmcp",
    site: "https://github.com/punkpeye/fastmcp",
    transports: ["stdio", "http"],
  },
  {
    name: "mcp-use",
    label: "mcp-use",
    package: "mcp-use",
    site: "https://github.com/mcp-use/mcp-use",
    transports: ["http"],
    needsNewerNode: true,
  },
  {
    name: "xmcp",
    label: "xmcp",
    package: "xmcp",
    site: "https://xmcp.dev",
    transports: ["stdio", "http"],
    build: ["xmcp", "build"],
    entries: { stdio: "dist/stdio.js", http: "dist/http.js" },
    isBundled: true,
  },
  {
    name: "skybridge",
    label: "Skybridge",
    package: "skybridge",
    site: "https://docs.skybridge.tech",
    transports: ["stdio", "http"],
    needsNewerNode: true,
  },
  {
    name: "mcp-framework",
    label: "mcp-framework",
    package: "mcp-framework",
    site: "https://mcp-framework.com",
    transports: ["stdio", "http"],
  },
  {
    name: "tmcp",
    label: "tmcp",
    package: "tmcp",
    site: "https://github.com/paoloricciuti/tmcp",
    transports: ["stdio", "http"],
  },
  {
    name: "mcp-handler",
    label: "mcp-handler",
    package: "mcp-handler",
    site: "https://github.com/vercel/mcp-handler",
    transports: ["http"],
  },
  {
    name: "mcp-nest",
    label: "NestJS",
    package: "@rekog/mcp-nest",
    site: "https://github.com/rekog-labs/MCP-Nest",
    transports: ["stdio", "http"],
    build: ["tsc"],
    entries: { stdio: "dist/server.js", http: "dist/server.js" },
  },
];
