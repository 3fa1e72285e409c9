import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Entity, Graph, Relation } from "./graph.js";

type Line = ({ type: "entity" } & Entity) | ({ type: "relation" } & Relation);

/** A graph in a file: one line of JSON for each entity and each relation, as people can read and mend. */
export class GraphFile {
  /** Changes are made one after the other, or one would undo what another has done meanwhile. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(private readonly path: string) {}

  /** @throws Error when a line is no JSON */
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

  /** Keeps what `work` has made of the graph, unless it throws. */
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

  /** Whoever reads sees the file as it was or as it is: a process may die at any moment. */
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
