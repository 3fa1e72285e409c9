import { type Keyword, findKeyword, KEYWORDS, LIMITS } from "@tenon/compiler/keywords";
import type { ComponentChildren, VNode } from "preact";
import type { FieldProps } from "./field-props.js";
import { useFieldError } from "./field-errors.js";
import { getInitialValue } from "./schema.js";
import type { JsonSchema } from "@tenon/runtime/manifest";

/** A field with one control, its label above, and its description below. */
export function Labeled({
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

/** The description of a field, and the server's message about its value. */
export function Description({ id, schema }: Pick<FieldProps, "id" | "schema">): VNode | null {
  const error = useFieldError(id);
  const text = [schema.description, describeLimits(schema)].filter(Boolean).join(" · ");
  if (text === "" && error === undefined) return null;
  return (
    <div class="notes" id={`${id}-about`}>
      {text !== "" && <p class="hint">{text}</p>}
      {error !== undefined && <p class="problem">{error}</p>}
    </div>
  );
}

/** A group of fields that can be omitted together. */
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
          onClick={() => onChange(getInitialValue(schema, root) ?? getEmptyValue(kind))}
        >
          Add {label}
        </button>
      ) : (
        <>
          {children}
          {!isRequired && (
            <button type="button" class="quiet" onClick={() => onChange(undefined)}>
              Omit {label}
            </button>
          )}
        </>
      )}
    </fieldset>
  );
}

function getEmptyValue(kind: string): unknown {
  return kind === "array" ? [] : {};
}

/** The limits of numbers and sizes: lower ones, upper ones, then others. */
const LIMITS_IN_ORDER = ["lower", "upper", undefined].flatMap((bound) =>
  LIMITS.filter((name) => {
    const { data } = KEYWORDS[name];
    return (
      findKeyword(name)?.bound === bound && (data === "number" || data === "positive" || data === "count")
    );
  }),
);

function describeLimits(schema: JsonSchema): string {
  const { format, pattern, prefixItems } = schema;
  const limits = LIMITS_IN_ORDER.flatMap((name) => {
    const value = schema[name];
    const { data, of, bound } = KEYWORDS[name] as Keyword;
    const isRedundant = data === "count" && bound === "lower" && value === 0;
    const isTupleSize = of?.[0] === "array" && prefixItems !== undefined;
    return value === undefined || isRedundant || isTupleSize
      ? []
      : formatLimit(KEYWORDS[name], value as never);
  });
  return [format, ...limits, pattern !== undefined && `pattern ${pattern}`].filter(Boolean).join(", ");
}

/** Formats a limit, such as `≥ 3`, or describes it. */
function formatLimit({ bound, data, toSymbol, toSentence }: Keyword, value: never): string {
  if (bound && data === "number" && toSymbol) return toSymbol(value);
  const sentence = toSentence?.(value) ?? "";
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}
