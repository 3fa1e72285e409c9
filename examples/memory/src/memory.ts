import { Resource, Tool, type Context } from "@tenon/runtime";
import {
  addEntities,
  addObservations,
  addRelations,
  selectEntities,
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

/** New facts about an entity. */
export interface Facts {
  /** The name of the entity */
  entityName: string;
  /** One fact each */
  contents: string[];
}

/** The new facts about an entity. */
export interface Added {
  entityName: string;
  addedObservations: string[];
}

/** Facts to delete from an entity. */
export interface Deletion {
  /** The name of the entity */
  entityName: string;
  /** Facts, with their exact text */
  observations: string[];
}

/** The result of a deletion. */
export interface DeletionResult {
  success: boolean;
  message: string;
}

export class Memory {
  constructor(private readonly file: GraphFile) {}

  /**
   * Create multiple new entities. Existing entities with the same name are not changed.
   * @param entities Entities with different names
   */
  @Tool({ name: "create_entities", title: "Create Entities", destructive: false, openWorld: false })
  async createEntities(entities: Entity[], ctx: Context): Promise<{ entities: Entity[] }> {
    return { entities: await this.#change(ctx, (graph) => addEntities(graph, entities)) };
  }

  /**
   * Create multiple new relations between entities.
   * @param relations Relations in active voice
   */
  @Tool({ name: "create_relations", title: "Create Relations", destructive: false, openWorld: false })
  async createRelations(relations: Relation[], ctx: Context): Promise<{ relations: Relation[] }> {
    return { relations: await this.#change(ctx, (graph) => addRelations(graph, relations)) };
  }

  /**
   * Add new facts about existing entities.
   * @param observations Entities and their new facts
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
  async deleteEntities(entityNames: string[], ctx: Context): Promise<DeletionResult> {
    await this.#change(ctx, (graph) => removeEntities(graph, entityNames));
    return { success: true, message: "Entities deleted successfully" };
  }

  /**
   * Delete single facts about entities.
   * @param deletions Entities and the facts to delete
   */
  @Tool({
    name: "delete_observations",
    title: "Delete Observations",
    destructive: true,
    idempotent: true,
    openWorld: false,
  })
  async deleteObservations(deletions: Deletion[], ctx: Context): Promise<DeletionResult> {
    await this.#change(ctx, (graph) => {
      for (const { entityName, observations } of deletions)
        removeObservations(graph, entityName, observations);
    });
    return { success: true, message: "Observations deleted successfully" };
  }

  /**
   * Delete relations.
   * @param relations Exact relations to delete
   */
  @Tool({
    name: "delete_relations",
    title: "Delete Relations",
    destructive: true,
    idempotent: true,
    openWorld: false,
  })
  async deleteRelations(relations: Relation[], ctx: Context): Promise<DeletionResult> {
    await this.#change(ctx, (graph) => removeRelations(graph, relations));
    return { success: true, message: "Relations deleted successfully" };
  }

  /** Read the whole graph. */
  @Tool({ name: "read_graph", title: "Read Graph", readOnly: true, openWorld: false })
  readGraph(): Promise<Graph> {
    return this.file.read();
  }

  /**
   * Search entities by name, type, and facts.
   * @param query Text to find, ignoring case
   */
  @Tool({ name: "search_nodes", title: "Search Nodes", readOnly: true, openWorld: false })
  async searchNodes(query: string): Promise<Graph> {
    return selectEntities(await this.file.read(), (entity) => mentions(entity, query));
  }

  /**
   * Open entities by their names, with their relations.
   * @param names Names of entities
   */
  @Tool({ name: "open_nodes", title: "Open Nodes", readOnly: true, openWorld: false })
  async openNodes(names: string[]): Promise<Graph> {
    return selectEntities(await this.file.read(), ({ name }) => names.includes(name));
  }

  /** The whole graph. */
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
