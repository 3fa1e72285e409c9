import type { VNode } from "preact";
import { Description, FieldName } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";

/**
 * A field for any number of the given choices. An optional field without a default is omitted if none is selected. Until
 * the developer changes it, it shows the default, which the server uses.
 */
export function ChoicesField({
  id,
  label,
  schema,
  isRequired,
  value,
  onChange,
  shape,
}: ShapedProps<"choices">): VNode {
  const shown = value ?? schema.default;
  const chosen: readonly unknown[] = Array.isArray(shown) ? shown : [];
  const isSent = isRequired || schema.default !== undefined;
  const change = (next: readonly unknown[]): void => onChange(next.length > 0 || isSent ? next : undefined);
  return (
    <fieldset class="group" id={id} aria-describedby={`${id}-about`}>
      <legend>
        <FieldName label={label} schema={schema} isRequired={isRequired} />
      </legend>
      <Description id={id} schema={schema} />
      {shape.choices.map((choice, index) => (
        <div class="check" key={choice.label}>
          <input
            id={`${id}-${index}`}
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={({ currentTarget }) => {
              const others = chosen.filter((each) => each !== choice.value);
              change(currentTarget.checked ? [...others, choice.value] : others);
            }}
          />
          <label for={`${id}-${index}`}>{choice.label}</label>
        </div>
      ))}
    </fieldset>
  );
}
