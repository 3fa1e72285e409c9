import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const packages = join(import.meta.dirname, "../../packages");

interface Package {
  name: string;
  exports?: Record<string, string | { default: string }>;
}

/**
 * Returns aliases for the source of each entry of the packages: `@tenon/runtime/stdio` is
 * `packages/runtime/src/transports/stdio/stdio.ts`. With them, tests import any source by its path, and get one copy of
 * it.
 */
export function sourceEntries(): { find: RegExp; replacement: string }[] {
  return readdirSync(packages, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .flatMap(({ name: folder }) => {
      const text = readFileSync(join(packages, folder, "package.json"), "utf8");
      const { name, exports = {} } = JSON.parse(text) as Package;
      return Object.entries(exports).flatMap(([entry, target]) => {
        if (typeof target === "string") return [];
        const source = target.default.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts");
        return [
          { find: new RegExp(`^${name}${entry.slice(1)}$`), replacement: join(packages, folder, source) },
        ];
      });
    });
}
