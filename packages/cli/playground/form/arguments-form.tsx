import type { JsonSchema } from "@tenon/runtime/manifest";
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { Field } from "./field.js";
import type { FieldProps } from "./field-props.js";
import { JsonField } from "./json-field.js";
import { ObjectFields } from "./object-field.js";
import { RefusalsContext, type Refusals } from "./refusals.js";
import { initialValue, resolved, shapeOf } from "./schema.js";

export type Arguments = Record<string, unknown>;

const NO_REFUSALS: Refusals = new Map();

interface FormProps {
  /** Unique on the page. */
  id: string;
  schema: JsonSchema;
  value: Arguments;
  onChange(value: Arguments): void;
  onSubmit(): void;
  /** What the server has said of its fields. */
  refusals?: Refusals | undefined;
  suggest?: FieldProps["suggest"];
  /** What is said where there are no fields, but JSON could be sent; nothing where neither can be filled in. */
  nothing: string | undefined;
  /** The buttons at its end. */
  children: ComponentChildren;
}

/**
 * A form for an object, or its JSON. It checks nothing: what is wrong, the server says. Ctrl-Enter sends it from
 * any field.
 */
export function ArgumentsForm({
  id,
  schema,
  value,
  onChange,
  onSubmit,
  refusals = NO_REFUSALS,
  suggest,
  nothing,
  children,
}: FormProps): VNode {
  const [isJson, setJson] = useState(false);
  const root = schema;
  const shape = shapeOf(resolved(schema, root), root);
  const props = { schema, root, id, label: "arguments", isRequired: true, value, suggest, Nested: Field };
  const change = (next: unknown): void => onChange((next ?? {}) as Arguments);
  const isForm = shape.type === "object";
  const isEmpty = isForm && shape.properties.length === 0 && !shape.extra;
  return (
    <form
      class="arguments"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        onSubmit();
      }}
    >
      {isEmpty && !isJson && nothing !== undefined && <p class="hint">{nothing}</p>}
      {isForm && !isJson ? (
        <RefusalsContext.Provider value={refusals}>
          <ObjectFields {...props} onChange={change} shape={shape} />
        </RefusalsContext.Provider>
      ) : (
        <JsonField {...props} schema={{}} onChange={change} />
      )}
      <div class="actions">
        {children}
        {isForm && (!isEmpty || nothing !== undefined) && (
          <button type="button" class="quiet" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
            {isJson ? "As a form" : "As JSON"}
          </button>
        )}
      </div>
    </form>
  );
}

/** The arguments that a form begins with. */
export function initialArguments(schema: JsonSchema): Arguments {
  const value = initialValue(schema, schema);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
