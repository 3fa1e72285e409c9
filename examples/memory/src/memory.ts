import { Resource, Tool, type Context } from "@tenon/runtime";
import {
  addEntities,
  addObservations,
  addRelations,
  around,
  mentions,
  removeEntities,
  removeObservations,
  removeRelations,
  type Entity,
  type Graph,
  type Relation,
} from "./graph.js";
import type { GraphFile } from "./graph-file.js";

const URI = "memory://knowledge-graph";

/** What has become known of an entity. */
export interface Facts {
  /** The name of the entity */
  entityName: string;
  /** One fact each */
  contents: string[];
}

/** What had not been known of it. */
export interface Added {
  entityName: string;
  addedObservations: string[];
}

/** What to forget of an entity. */
export interface Deletion {
  /** The name of the entity */
  entityName: string;
  /** Facts, word by word */
  observations: string[];
}

/** What a deletion came to. */
export interface Forgotten {
  success: boolean;
  message: string;
}

export class Memory {
  constructor(private readonly file: GraphFile) {}

  /**
   * Create multiple new entities. Those whose name there is already are left as they are.
   * @param entities One for each name
   */
  @Tool({ name: "create_entities", title: "Create Entities", destructive: false, openWorld: false })
  async createEntities(entities: Entity[], ctx: Context): Promise<{ entities: Entity[] }> {
    return { entities: await this.#change(ctx, (graph) => addEntities(graph, entities)) };
  }

  /**
   * Create multiple new relations between entities.
   * @param relations In active voice
   */
  @Tool({ name: "create_relations", title: "Create Relations", destructive: false, openWorld: false })
  async createRelations(relations: Relation[], ctx: Context): Promise<{ relations: Relation[] }> {
    return { relations: await this.#change(ctx, (graph) => addRelations(graph, relations)) };
  }

  /**
   * Add what has become known of entities that there are.
   * @param observations Of which entity, and what
   */
  @Tool({ name: "add_observations", title: "Add Observations", destructive: false, openWorld: false })
  async addObservations(observations: Facts[], ctx: Context): Promise<{ results: Added[] }> {
    const results = await this.#change(ctx, (graph) =>
      observations.map(({ entityName, contents }) => ({
        entityName,
        addedObservations: addObservations(graph, entityName, contents),
      })),
    );
    return { results };
  }

  /**
   * Delete entities and their relations.
   * @param entityNames Names of entities
   */
  @Tool({
    name: "delete_entities",
    title: "Delete Entities",
    destructive: true,
    idempotent: true,
    openWorld: false,
  })
  async deleteEntities(entityNames: string[], ctx: Context): Promise<Forgotten> {
    await this.#change(ctx, (graph) => removeEntities(graph, entityNames));
    return { success: true, message: "Entities deleted successfully" };
  }

  /**
   * Delete single facts of entities.
   * @param deletions Of which entity, and what
   */
  @Tool({
    name: "delete_observations",
    title: "Delete Observations",
    destructive: true,
    idempotent: true,
    openWorld: false,
  })
  async deleteObservations(deletions: Deletion[], ctx: Context): Promise<Forgotten> {
    await this.#change(ctx, (graph) => {
      for (const { entityName, observations } of deletions)
        removeObservations(graph, entityName, observations);
    });
    return { success: true, message: "Observations deleted successfully" };
  }

  /**
   * Delete relations.
   * @param relations As they were created
   */
  @Tool({
    name: "delete_relations",
    title: "Delete Relations",
    destructive: true,
    idempotent: true,
    openWorld: false,
  })
  async deleteRelations(relations: Relation[], ctx: Context): Promise<Forgotten> {
    await this.#change(ctx, (graph) => removeRelations(graph, relations));
    return { success: true, message: "Relations deleted successfully" };
  }

  /** Read everything that is remembered. */
  @Tool({ name: "read_graph", title: "Read Graph", readOnly: true, openWorld: false })
  readGraph(): Promise<Graph> {
    return this.file.read();
  }

  /**
   * Search entities by name, type and what is known of them.
   * @param query Part of any of these, in whichever case
   */
  @Tool({ name: "search_nodes", title: "Search Nodes", readOnly: true, openWorld: false })
  async searchNodes(query: string): Promise<Graph> {
    return around(await this.file.read(), (entity) => mentions(entity, query));
  }

  /**
   * Open entities by their names, with their relations.
   * @param names Names of entities
   */
  @Tool({ name: "open_nodes", title: "Open Nodes", readOnly: true, openWorld: false })
  async openNodes(names: string[]): Promise<Graph> {
    return around(await this.file.read(), ({ name }) => names.includes(name));
  }

  /** Everything that is remembered. */
  @Resource(URI, { name: "knowledge-graph", title: "Knowledge Graph", mimeType: "application/json" })
  graph(): Promise<Graph> {
    return this.file.read();
  }

  async #change<Result>(ctx: Context, work: (graph: Graph) => Result): Promise<Result> {
    const result = await this.file.change(work);
    ctx.notify.resourceUpdated(URI);
    return result;
  }
}
