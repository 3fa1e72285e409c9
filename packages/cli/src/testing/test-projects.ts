import type { Diagnostic } from "@tenon/compiler";
import type { LoweredSource } from "../bundle/lower-source.js";
import { isInside } from "../files/is-inside.js";
import { createTestModules, type TestModules } from "./test-modules.js";

/** The projects of one test run, usually a single one. */
export class TestProjects {
  readonly #byRoot = new Map<string, TestModules>();

  /** Returns the modules of the project in a folder, given by absolute path. */
  get(root: string): TestModules {
    const known = this.#byRoot.get(root) ?? createTestModules(root);
    this.#byRoot.set(root, known);
    return known;
  }

  /** @see TestModules.loadAuthorModule */
  async loadAuthorModule(path: string): Promise<LoweredSource | undefined> {
    const roots = [...this.#byRoot.keys()].filter((root) => isInside(path, root));
    const nearest = roots.sort((a, b) => b.length - a.length)[0];
    return nearest === undefined ? undefined : this.get(nearest).loadAuthorModule(path);
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
