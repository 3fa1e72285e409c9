import type { JsonSchema } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import type { Shape } from "./schema.js";

/** One value of a form, and how it is changed. `undefined` is a value that is left out. */
export interface FieldProps {
  schema: JsonSchema;
  /** Holds what references name. */
  root: JsonSchema;
  /** Unique on the page. */
  id: string;
  label: string;
  isRequired: boolean;
  value: unknown;
  onChange(value: unknown): void;
  /** Suggestions for a text, where there are any. */
  suggest?: ((name: string, typed: string) => Promise<string[]>) | undefined;
}

/** What every kind of field is given besides. */
export type ShapedProps<Type extends Shape["type"]> = FieldProps & {
  shape: Extract<Shape, { type: Type }>;
  /** A field for any schema, for what lies within. */
  Nested: (props: FieldProps) => VNode;
};
