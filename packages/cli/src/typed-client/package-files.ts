import { readFileSync } from "node:fs";

/**
 * What a module needs around it to be built and published.
 *
 * @param about how people know the server
 */
export function packageFiles(name: string, about: string): ReadonlyMap<string, string> {
  const manifest = {
    name,
    version: "0.1.0",
    description: `A typed client for ${about}.`,
    type: "module",
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
    files: ["dist"],
    scripts: { build: "tsc", prepack: "npm run build" },
    dependencies: { "@modelcontextprotocol/client": clientRange() },
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
    ["package.json", json(manifest)],
    ["tsconfig.json", json({ compilerOptions, include: ["src"] })],
    ["README.md", readme(name, about)],
    [".gitignore", "node_modules/\ndist/\n"],
  ]);
}

function readme(name: string, about: string): string {
  return `# ${name}

A typed client for ${about}.

\`\`\`ts
import { connect } from "${name}";

const server = await connect();
console.log(server.changed); // the tools that are not as they were when this was made
await server.close();
\`\`\`

\`src/index.ts\` is made by \`tenon types\`: make it again rather than edit it.
`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The versions of the official client that this one is made for, too. */
function clientRange(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  return dependencies["@modelcontextprotocol/client"] ?? "*";
}
