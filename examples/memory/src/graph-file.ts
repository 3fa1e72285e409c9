import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Entity, Graph, Relation } from "./graph.js";

type Line = ({ type: "entity" } & Entity) | ({ type: "relation" } & Relation);

/** A graph in a file with one line of JSON for each entity and relation, which users can read and repair. */
export class GraphFile {
  /** The last change. Changes run one after the other, so that none overwrites another. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(private readonly path: string) {}

  /**
   * Reads the graph.
   *
   * @throws Error if a line is not JSON
   */
  async read(): Promise<Graph> {
    const text = await readFile(this.path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    const graph: Graph = { entities: [], relations: [] };
    for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
      const { type, ...item } = JSON.parse(line) as Line;
      if (type === "entity") graph.entities.push(item as Entity);
      if (type === "relation") graph.relations.push(item as Relation);
    }
    return graph;
  }

  /** Changes the graph with `work` and stores it, unless `work` throws. */
  change<Result>(work: (graph: Graph) => Result): Promise<Result> {
    const change = this.#lastChange.then(async () => {
      const graph = await this.read();
      const result = work(graph);
      await this.#write(graph);
      return result;
    });
    this.#lastChange = change.catch(() => {});
    return change;
  }

  /** Replaces the file atomically, since the process may crash at any time. */
  async #write({ entities, relations }: Graph): Promise<void> {
    const lines: Line[] = [
      ...entities.map((entity) => ({ type: "entity" as const, ...entity })),
      ...relations.map((relation) => ({ type: "relation" as const, ...relation })),
    ];
    const temporary = `${this.path}.${randomUUID()}.tmp`;
    try {
      await writeFile(temporary, lines.map((line) => JSON.stringify(line)).join("\n"));
      await rename(temporary, this.path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}
