import { ToolError } from "@tenon/runtime";

/** Something worth remembering. */
export interface Entity {
  /** The name of the entity */
  name: string;
  /** What kind of thing it is, such as "person" */
  entityType: string;
  /** What is known of it, one fact each */
  observations: string[];
}

/** How two entities are related, in active voice: Ada (from) works_at (relationType) Analytical (to). */
export interface Relation {
  /** The name of the entity where the relation starts */
  from: string;
  /** The name of the entity where the relation ends */
  to: string;
  /** The type of the relation */
  relationType: string;
}

/** Entities and relations, in the order in which they were made. */
export interface Graph {
  entities: Entity[];
  relations: Relation[];
}

/** @returns those that were not there */
export function addEntities(graph: Graph, entities: readonly Entity[]): Entity[] {
  return addNew(graph.entities, entities, (one, other) => one.name === other.name);
}

/** @returns those that were not there */
export function addRelations(graph: Graph, relations: readonly Relation[]): Relation[] {
  return addNew(graph.relations, relations, isSameRelation);
}

/**
 * @returns those that were not there
 * @throws ToolError when there is no such entity
 */
export function addObservations(graph: Graph, name: string, contents: readonly string[]): string[] {
  const entity = graph.entities.find((each) => each.name === name);
  if (!entity) throw new ToolError(`Entity with name ${name} not found`);
  return addNew(entity.observations, contents, (one, other) => one === other);
}

/** Their relations go with them. */
export function removeEntities(graph: Graph, names: readonly string[]): void {
  graph.entities = graph.entities.filter(({ name }) => !names.includes(name));
  graph.relations = graph.relations.filter(({ from, to }) => !names.includes(from) && !names.includes(to));
}

export function removeObservations(graph: Graph, name: string, observations: readonly string[]): void {
  const entity = graph.entities.find((each) => each.name === name);
  if (entity) entity.observations = entity.observations.filter((each) => !observations.includes(each));
}

export function removeRelations(graph: Graph, relations: readonly Relation[]): void {
  graph.relations = graph.relations.filter((each) => !relations.some((gone) => isSameRelation(each, gone)));
}

/** Some of the entities, with every relation that begins or ends at one of them. */
export function around(graph: Graph, isWanted: (entity: Entity) => boolean): Graph {
  const entities = graph.entities.filter(isWanted);
  const names = new Set(entities.map(({ name }) => name));
  return { entities, relations: graph.relations.filter(({ from, to }) => names.has(from) || names.has(to)) };
}

/** Whether a text is part of anything that an entity says, in whichever case. */
export function mentions({ name, entityType, observations }: Entity, text: string): boolean {
  const wanted = text.toLowerCase();
  return [name, entityType, ...observations].some((each) => each.toLowerCase().includes(wanted));
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
