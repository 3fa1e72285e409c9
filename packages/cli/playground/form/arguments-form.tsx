import type { JsonSchema } from "@tenon/runtime/manifest";
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { Field } from "./field.js";
import type { FieldProps } from "./field-props.js";
import { JsonField } from "./json-field.js";
import { ObjectFields } from "./object-field.js";
import { FieldErrorsContext } from "./field-errors.js";
import type { FieldErrors } from "./parse-field-errors.js";
import { type Arguments, getInitialValue, resolveSchema, toShape } from "./schema.js";

const NO_FIELD_ERRORS: FieldErrors = new Map();

interface FormProps {
  /** The ID of the form, unique on the page. */
  id: string;
  schema: JsonSchema;
  value: Arguments;
  onChange(value: Arguments): void;
  onSubmit(): void;
  /** The server's messages about its fields. */
  fieldErrors?: FieldErrors | undefined;
  suggest?: FieldProps["suggest"];
  /** The message for a form without fields if JSON can be sent; undefined if there is nothing to fill in. */
  emptyText: string | undefined;
  /** The buttons at the end of the form. */
  children: ComponentChildren;
}

/**
 * A form for an object, or a JSON editor. It does not validate, so that the server reports errors. Ctrl-Enter submits it
 * from any field.
 */
export function ArgumentsForm({
  id,
  schema,
  value,
  onChange,
  onSubmit,
  fieldErrors = NO_FIELD_ERRORS,
  suggest,
  emptyText,
  children,
}: FormProps): VNode {
  const [isJson, setJson] = useState(false);
  const root = schema;
  const shape = toShape(resolveSchema(schema, root), root);
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
      {isEmpty && !isJson && emptyText !== undefined && <p class="hint">{emptyText}</p>}
      {isForm && !isJson ? (
        <FieldErrorsContext.Provider value={fieldErrors}>
          <ObjectFields {...props} onChange={change} shape={shape} />
        </FieldErrorsContext.Provider>
      ) : (
        <JsonField {...props} schema={{}} onChange={change} />
      )}
      <div class="actions">
        {children}
        {isForm && (!isEmpty || emptyText !== undefined) && (
          <button type="button" class="quiet" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
            {isJson ? "Edit as form" : "Edit as JSON"}
          </button>
        )}
      </div>
    </form>
  );
}

/** Returns the initial arguments of a form. */
export function getInitialArguments(schema: JsonSchema): Arguments {
  const value = getInitialValue(schema, schema);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
