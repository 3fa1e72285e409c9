import type { ComponentChildren, VNode } from "preact";
import type { FieldProps } from "./field-props.js";
import { useRefusal } from "./refusals.js";
import { initialValue } from "./schema.js";
import type { JsonSchema } from "@tenon/runtime/manifest";

/** The label above a field with one control, and what is said about it below. */
export function Labelled({
  id,
  label,
  schema,
  isRequired,
  children,
}: Pick<FieldProps, "id" | "label" | "schema" | "isRequired"> & { children: ComponentChildren }): VNode {
  return (
    <div class="field">
      <label for={id}>
        <FieldName label={label} schema={schema} isRequired={isRequired} />
      </label>
      {children}
      <Description id={id} schema={schema} />
    </div>
  );
}

export function FieldName({
  label,
  schema,
  isRequired,
}: Pick<FieldProps, "label" | "schema" | "isRequired">): VNode {
  return (
    <>
      <span class="field-name">{label}</span>
      {schema.title !== undefined && schema.title !== label && <span class="hint">{schema.title}</span>}
      {!isRequired && <span class="hint">optional</span>}
      {schema.deprecated === true && <span class="badge warn">deprecated</span>}
    </>
  );
}

/** What is said about a field: by its author, and by the server that has refused it. */
export function Description({ id, schema }: Pick<FieldProps, "id" | "schema">): VNode | null {
  const refusal = useRefusal(id);
  const text = [schema.description, limitsOf(schema)].filter(Boolean).join(" · ");
  if (text === "" && refusal === undefined) return null;
  return (
    <div class="notes" id={`${id}-about`}>
      {text !== "" && <p class="hint">{text}</p>}
      {refusal !== undefined && <p class="problem">{refusal}</p>}
    </div>
  );
}

/** A group of fields that can be left out as a whole. */
export function Group(props: FieldProps & { children: ComponentChildren; kind: string }): VNode {
  const { id, label, schema, root, isRequired, value, onChange, children, kind } = props;
  const isAbsent = value === undefined && !isRequired;
  return (
    <fieldset class="group" id={id} aria-describedby={`${id}-about`}>
      <legend>
        <FieldName label={label} schema={schema} isRequired={isRequired} />
      </legend>
      <Description id={id} schema={schema} />
      {isAbsent ? (
        <button
          type="button"
          class="quiet"
          onClick={() => onChange(initialValue(schema, root) ?? emptyOf(kind))}
        >
          Add {label}
        </button>
      ) : (
        <>
          {children}
          {!isRequired && (
            <button type="button" class="quiet" onClick={() => onChange(undefined)}>
              Leave {label} out
            </button>
          )}
        </>
      )}
    </fieldset>
  );
}

function emptyOf(kind: string): unknown {
  return kind === "array" ? [] : {};
}

function limitsOf({
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
  minLength,
  maxLength,
  minItems,
  maxItems,
  pattern,
  format,
  prefixItems,
}: JsonSchema): string {
  return [
    format,
    minimum !== undefined && `≥ ${minimum}`,
    exclusiveMinimum !== undefined && `> ${exclusiveMinimum}`,
    maximum !== undefined && `≤ ${maximum}`,
    exclusiveMaximum !== undefined && `< ${exclusiveMaximum}`,
    multipleOf !== undefined && `a multiple of ${multipleOf}`,
    minLength !== undefined && minLength > 0 && `at least ${countText(minLength, "character")}`,
    maxLength !== undefined && `at most ${countText(maxLength, "character")}`,
    !prefixItems && minItems !== undefined && minItems > 0 && `at least ${countText(minItems, "item")}`,
    !prefixItems && maxItems !== undefined && `at most ${countText(maxItems, "item")}`,
    pattern !== undefined && `pattern ${pattern}`,
  ]
    .filter(Boolean)
    .join(", ");
}

function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
