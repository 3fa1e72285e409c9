import { type Diagnostic, type FindAliasTargets, readPathAliases } from "@tenon/compiler";
import type { LoweredSource } from "../bundle/lower-source.js";
import { isInside } from "../files/is-inside.js";
import { createTestModules, type TestModules } from "./test-modules.js";

/** The projects of one test run, usually a single one. */
export class TestProjects {
  readonly #byRoot = new Map<string, TestModules>();
  readonly #aliases = new Map<string, FindAliasTargets>();

  /** Returns the modules of the project in a folder, given by absolute path. */
  get(root: string): TestModules {
    const known = this.#byRoot.get(root) ?? createTestModules(root);
    this.#byRoot.set(root, known);
    return known;
  }

  /** @see TestModules.loadAuthorModule */
  async loadAuthorModule(path: string): Promise<LoweredSource | undefined> {
    const root = this.#findRoot(path);
    return root === undefined ? undefined : this.get(root).loadAuthorModule(path);
  }

  /** Returns the files that an import in a module may name through `paths` of its project's tsconfig.json. */
  findAliasTargets(specifier: string, importer: string): readonly string[] {
    const root = this.#findRoot(importer);
    if (root === undefined || importer.includes("/node_modules/")) return [];
    const find = this.#aliases.get(root) ?? readPathAliases(root);
    this.#aliases.set(root, find);
    return find(specifier);
  }

  /** Returns the folder of the innermost project that contains a file, given by absolute path. */
  #findRoot(path: string): string | undefined {
    const roots = [...this.#byRoot.keys()].filter((root) => isInside(path, root));
    return roots.sort((a, b) => b.length - a.length)[0];
  }

  /** @see TestModules.findTypeErrors */
  async findTypeErrors(): Promise<Diagnostic[]> {
    const found = [...this.#byRoot.values()].map((modules) => modules.findTypeErrors());
    return (await Promise.all(found)).flat();
  }

  /** Records that a file, given by absolute path, has changed. */
  refresh(path: string): void {
    for (const modules of this.#byRoot.values()) modules.refresh([path]);
  }
}
