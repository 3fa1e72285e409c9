import type { JsonSchema } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import type { Shape } from "./schema.js";

/** One value of a form, and its setter. `undefined` means that the value is omitted. */
export interface FieldProps {
  schema: JsonSchema;
  /** The schema of the form, in which references are resolved. */
  root: JsonSchema;
  /** The ID of the field, unique on the page. */
  id: string;
  label: string;
  isRequired: boolean;
  value: unknown;
  onChange(value: unknown): void;
  /** Returns suggestions for the typed text. Absent if the field has none. */
  suggest?: ((name: string, typed: string) => Promise<string[]>) | undefined;
}

/** The properties that every kind of field receives. */
export type ShapedProps<Type extends Shape["type"]> = FieldProps & {
  shape: Extract<Shape, { type: Type }>;
  /** Renders the fields of nested values. */
  Nested: (props: FieldProps) => VNode;
};
