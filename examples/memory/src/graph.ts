import { ToolError } from "@tenon/runtime";

/** A person, place, thing, or concept. */
export interface Entity {
  /** The name of the entity */
  name: string;
  /** Kind of entity, such as "person" */
  entityType: string;
  /** Known facts, one per item */
  observations: string[];
}

/** A relation between two entities, in active voice: Ada (from) works_at (relationType) Analytical (to). */
export interface Relation {
  /** The name of the entity where the relation starts */
  from: string;
  /** The name of the entity where the relation ends */
  to: string;
  /** The type of the relation */
  relationType: string;
}

/** Entities and relations in the order of their creation. */
export interface Graph {
  entities: Entity[];
  relations: Relation[];
}

/**
 * Adds the entities whose names are new.
 *
 * @returns the added entities
 */
export function addEntities(graph: Graph, entities: readonly Entity[]): Entity[] {
  return addNew(graph.entities, entities, (one, other) => one.name === other.name);
}

/**
 * Adds the relations that do not exist yet.
 *
 * @returns the added relations
 */
export function addRelations(graph: Graph, relations: readonly Relation[]): Relation[] {
  return addNew(graph.relations, relations, isSameRelation);
}

/**
 * Adds the observations that an entity does not have yet.
 *
 * @returns the added observations
 * @throws ToolError if there is no such entity
 */
export function addObservations(graph: Graph, name: string, contents: readonly string[]): string[] {
  const entity = graph.entities.find((each) => each.name === name);
  if (!entity) throw new ToolError(`Entity with name ${name} not found`);
  return addNew(entity.observations, contents, (one, other) => one === other);
}

/** Removes entities and their relations. */
export function removeEntities(graph: Graph, names: readonly string[]): void {
  graph.entities = graph.entities.filter(({ name }) => !names.includes(name));
  graph.relations = graph.relations.filter(({ from, to }) => !names.includes(from) && !names.includes(to));
}

export function removeObservations(graph: Graph, name: string, observations: readonly string[]): void {
  const entity = graph.entities.find((each) => each.name === name);
  if (entity) entity.observations = entity.observations.filter((each) => !observations.includes(each));
}

export function removeRelations(graph: Graph, relations: readonly Relation[]): void {
  graph.relations = graph.relations.filter(
    (each) => !relations.some((removed) => isSameRelation(each, removed)),
  );
}

/** Returns some of the entities, with all relations that start or end at one of them. */
export function selectEntities(graph: Graph, isWanted: (entity: Entity) => boolean): Graph {
  const entities = graph.entities.filter(isWanted);
  const names = new Set(entities.map(({ name }) => name));
  return { entities, relations: graph.relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
}

/** Returns whether an entity contains a string, ignoring case. */
export function mentions({ name, entityType, observations }: Entity, text: string): boolean {
  const lowerCaseText = text.toLowerCase();
  return [name, entityType, ...observations].some((each) => each.toLowerCase().includes(lowerCaseText));
}

function addNew<Item>(
  list: Item[],
  items: readonly Item[],
  isSame: (one: Item, other: Item) => boolean,
): Item[] {
  const before = list.length;
  for (const item of items) if (!list.some((known) => isSame(known, item))) list.push(item);
  return list.slice(before);
}

function isSameRelation(one: Relation, other: Relation): boolean {
  return one.from === other.from && one.to === other.to && one.relationType === other.relationType;
}
