import type { JsonSchema, JsonTypeName } from "@tenon/runtime/manifest";
import { withSentence } from "../json-schema/keyword-sentences.js";

/** A schema as one client family accepts it. */
export interface LoweredSchema {
  /** The schema. It is the same object if nothing changed. */
  schema: JsonSchema;
  losses: Loss[];
}

/** A difference in the lowered schema that keeps clients from sending some arguments as they are. */
export interface Loss {
  /** Property names, `[]` for items, `[0]` for tuple elements; empty for the arguments as a whole. */
  path: readonly string[];
  /** The end of a sentence that begins with the path. */
  loss: string;
}

/** The path of a schema in the arguments: see {@link Loss}. */
export type Path = readonly string[];

const AS_TEXT = "is listed as JSON text";

/** The state of lowering one schema: its definitions and the losses so far. */
export class LoweringState {
  readonly defs: Record<string, JsonSchema>;
  readonly losses: Loss[] = [];

  constructor(root: JsonSchema) {
    this.defs = root.$defs ?? {};
  }

  addLoss(path: Path, loss: string): void {
    const isKnown = this.losses.some((each) => each.loss === loss && isSamePath(each.path, path));
    if (!isKnown) this.losses.push({ path, loss });
  }

  #removeLoss(path: Path, loss: string): void {
    const index = this.losses.findIndex((each) => each.loss === loss && isSamePath(each.path, path));
    if (index >= 0) this.losses.splice(index, 1);
  }

  /**
   * Returns the schema of JSON text, in place of one that a client's schemas cannot express. The server parses the text
   * if it expects an object or array. The original schema is added to the description for the model.
   */
  toJsonText(schema: JsonSchema, path: Path): JsonSchema {
    this.addLoss(path, AS_TEXT);
    const { description, title, default: _default, examples: _examples, ...shape } = schema;
    const field: JsonSchema = {
      ...(title !== undefined && { title }),
      type: "string",
      ...(description !== undefined && { description }),
    };
    return withSentence(field, `JSON text of a value of this JSON Schema: ${JSON.stringify(shape)}`);
  }

  /** Lowers the branches of a union. JSON text is omitted if another branch allows text. */
  lowerBranches(
    branches: readonly JsonSchema[],
    path: Path,
    lowerBranch: (branch: JsonSchema) => JsonSchema,
  ): JsonSchema[] {
    const acceptsText = branches.some((branch) => allowsType(branch, "string"));
    return branches.flatMap((branch) => {
      const lowered = lowerBranch(branch);
      const becameText = lowered.type === "string" && !allowsType(branch, "string");
      if (!becameText || !acceptsText) return [lowered];
      this.#removeLoss(path, AS_TEXT);
      this.addLoss(path, "can be sent only as text, not as an object or array");
      return [];
    });
  }
}

/** Returns whether objects may have members with arbitrary names, alone or next to named members. */
export function isOpen(schema: JsonSchema): boolean {
  return [schema.type].flat().includes("object") && schema.additionalProperties !== false;
}

/** Returns whether a schema allows any value. */
export function allowsAnyValue(schema: JsonSchema): boolean {
  return (
    schema.type === undefined &&
    schema.enum === undefined &&
    schema.anyOf === undefined &&
    schema.$ref === undefined
  );
}

/** Returns whether a schema allows values of a type. References count as objects. */
export function allowsType(schema: JsonSchema, type: JsonTypeName): boolean {
  if (schema.anyOf) return schema.anyOf.some((branch) => allowsType(branch, type));
  if (schema.$ref !== undefined) return false;
  return schema.type === undefined || [schema.type].flat().includes(type);
}

/** Returns one schema for all elements of a tuple. Their order and meaning belong in the description. */
export function joinElements(elements: readonly JsonSchema[], rest: JsonSchema["items"]): JsonSchema {
  const all = (typeof rest === "object" ? [...elements, rest] : elements).map((each) =>
    withoutDescription(each),
  );
  const distinct = new Map(all.map((each) => [JSON.stringify(each), each]));
  const [only] = [...distinct.values()];
  return distinct.size === 1 && only ? only : { anyOf: [...distinct.values()] };
}

function withoutDescription({ title: _title, description: _description, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

/** Describes the order of a tuple. */
export function describeTuple(elements: readonly JsonSchema[], rest: JsonSchema["items"]): string {
  const parts = elements.map((each) => describeElement(each));
  if (typeof rest === "object") parts.push(`then any number of ${describeElement(rest)}`);
  return `In this order: ${parts.join(", ")}.`;
}

function describeElement({ title, description, type, enum: values }: JsonSchema): string {
  const kind = values
    ? values.map((each) => JSON.stringify(each)).join(" or ")
    : [type ?? "value"].flat().join(" or ");
  const about = title ?? description?.split("\n")[0];
  return about === undefined ? kind : `${kind} (${about.replace(/\.$/, "")})`;
}

function isSamePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index]);
}
