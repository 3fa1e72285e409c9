import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { withSentence } from "../json-schema/keyword-sentences.js";

/** A schema as one family of clients takes it. */
export interface Lowered {
  /** The same object when nothing had to change. */
  schema: JsonSchema;
  losses: Loss[];
}

/** Something that arguments may be, and that the lowered schema does not let a client send as it is. */
export interface Loss {
  /** Property names, `[]` for items, `[0]` for tuple elements; empty for the arguments as a whole. */
  path: readonly string[];
  /** The end of a sentence that begins with the place. */
  loss: string;
}

/** Where in the arguments a schema is: see {@link Loss}. */
export type Path = readonly string[];

const AS_TEXT = "is listed as JSON text";

/** One schema being lowered: its definitions, and what got lost so far. */
export class LoweringState {
  readonly defs: Record<string, JsonSchema>;
  readonly losses: Loss[] = [];

  constructor(root: JsonSchema) {
    this.defs = root.$defs ?? {};
  }

  lose(path: Path, loss: string): void {
    const isKnown = this.losses.some((each) => each.loss === loss && samePath(each.path, path));
    if (!isKnown) this.losses.push({ path, loss });
  }

  #forget(path: Path, loss: string): void {
    const index = this.losses.findIndex((each) => each.loss === loss && samePath(each.path, path));
    if (index >= 0) this.losses.splice(index, 1);
  }

  /**
   * Stands for what a client's schemas cannot describe: the value as JSON text, which the server reads where it
   * expects an object or array. The schema itself goes into the description, so that a model knows it all.
   */
  asText(schema: JsonSchema, path: Path): JsonSchema {
    this.lose(path, AS_TEXT);
    const { description, title, default: _default, examples: _examples, ...shape } = schema;
    const kept: JsonSchema = {
      ...(title !== undefined && { title }),
      type: "string",
      ...(description !== undefined && { description }),
    };
    return withSentence(kept, `JSON text of a value of this JSON Schema: ${JSON.stringify(shape)}`);
  }

  /** The branches of a union; JSON text is no choice beside text. */
  branches(
    branches: readonly JsonSchema[],
    path: Path,
    lowerBranch: (branch: JsonSchema) => JsonSchema,
  ): JsonSchema[] {
    const takesText = branches.some((branch) => allowsType(branch, "string"));
    return branches.flatMap((branch) => {
      const lowered = lowerBranch(branch);
      const becameText = lowered.type === "string" && !allowsType(branch, "string");
      if (!becameText || !takesText) return [lowered];
      this.#forget(path, AS_TEXT);
      this.lose(path, "can be sent only as text, not as an object or array");
      return [];
    });
  }
}

/** Objects whose member names are free: a dictionary, alone or beside named members. */
export function isOpen(schema: JsonSchema): boolean {
  return [schema.type].flat().includes("object") && schema.additionalProperties !== false;
}

/** Nothing is said about the value. */
export function isAnything(schema: JsonSchema): boolean {
  return (
    schema.type === undefined &&
    schema.enum === undefined &&
    schema.anyOf === undefined &&
    schema.$ref === undefined
  );
}

/** Whether the schema has a type, or no types at all: references count as objects. */
export function allowsType(schema: JsonSchema, type: JsonTypeName): boolean {
  if (schema.anyOf) return schema.anyOf.some((branch) => allowsType(branch, type));
  if (schema.$ref !== undefined) return false;
  return schema.type === undefined || [schema.type].flat().includes(type);
}

/** One schema for all elements of a tuple; their order and meaning go into the description. */
export function tupleItems(elements: readonly JsonSchema[], rest: JsonSchema["items"]): JsonSchema {
  const all = (typeof rest === "object" ? [...elements, rest] : elements).map((each) => plain(each));
  const distinct = new Map(all.map((each) => [JSON.stringify(each), each]));
  const [only] = [...distinct.values()];
  return distinct.size === 1 && only ? only : { anyOf: [...distinct.values()] };
}

function plain({ title: _title, description: _description, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

/** The order of a tuple, in words. */
export function tupleWords(elements: readonly JsonSchema[], rest: JsonSchema["items"]): string {
  const words = elements.map((each) => elementWords(each));
  if (typeof rest === "object") words.push(`then any number of ${elementWords(rest)}`);
  return `In this order: ${words.join(", ")}.`;
}

function elementWords({ title, description, type, enum: values }: JsonSchema): string {
  const kind = values
    ? values.map((each) => JSON.stringify(each)).join(" or ")
    : [type ?? "value"].flat().join(" or ");
  const about = title ?? description?.split("\n")[0];
  return about === undefined ? kind : `${kind} (${about.replace(/\.$/, "")})`;
}

function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index]);
}
