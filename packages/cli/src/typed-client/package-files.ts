import { readFileSync } from "node:fs";

/**
 * Creates the files that are needed to build a module and publish it as a package, by path.
 *
 * @param serverName the name of the server, as it is displayed
 * @param hasUrl whether the client knows the URL of the server
 */
export function createPackageFiles(
  name: string,
  serverName: string,
  hasUrl: boolean,
): ReadonlyMap<string, string> {
  const manifest = {
    name,
    version: "0.1.0",
    description: `A typed client for ${serverName}.`,
    type: "module",
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist"],
    scripts: { build: "tsc", prepack: "npm run build" },
    dependencies: { "@modelcontextprotocol/client": getClientRange() },
    devDependencies: { "@types/node": "^20.16.0", typescript: "^5.9.0" },
  };
  const compilerOptions = {
    target: "es2022",
    lib: ["es2023"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    declaration: true,
    rootDir: "src",
    outDir: "dist",
  };
  return new Map([
    ["package.json", toJsonText(manifest)],
    ["tsconfig.json", toJsonText({ compilerOptions, include: ["src"] })],
    ["README.md", writeReadme(name, serverName, hasUrl)],
    [".gitignore", "node_modules/\ndist/\n"],
  ]);
}

function writeReadme(name: string, serverName: string, hasUrl: boolean): string {
  return `# ${name}

A typed client for ${serverName}.

\`\`\`ts
import { connect } from "${name}";

const server = await connect(${hasUrl ? ");" : '"http://127.0.0.1:3000/mcp"); // the URL of the server, or a transport'}
console.log(server.changed); // the tools whose schemas have changed since this client was generated
await server.close();
\`\`\`

\`tenon types\` generates \`src/index.ts\`. Generate it again instead of editing it.
`;
}

function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns the range of the official client's versions that the command line itself uses. */
function getClientRange(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { devDependencies } = JSON.parse(text) as { devDependencies: Record<string, string> };
  return devDependencies["@modelcontextprotocol/client"] ?? "*";
}
