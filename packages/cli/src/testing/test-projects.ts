import type { LoweredSource } from "../bundle/lower-source.js";
import { isInside } from "../files/is-inside.js";
import { createTestModules, type TestModules } from "./test-modules.js";

/** The projects that one run of tests is about: nearly always one. */
export class TestProjects {
  readonly #byRoot = new Map<string, TestModules>();

  /** The modules of the project in a folder (absolute). */
  at(root: string): TestModules {
    const known = this.#byRoot.get(root) ?? createTestModules(root);
    this.#byRoot.set(root, known);
    return known;
  }

  /** @see TestModules.author */
  async author(path: string): Promise<LoweredSource | undefined> {
    const roots = [...this.#byRoot.keys()].filter((root) => isInside(path, root));
    const nearest = roots.sort((a, b) => b.length - a.length)[0];
    return nearest === undefined ? undefined : this.at(nearest).author(path);
  }

  /** A file has changed (absolute path). */
  refresh(path: string): void {
    for (const modules of this.#byRoot.values()) modules.refresh([path]);
  }
}
