import type { VNode } from "preact";
import { Description, FieldName } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";

/** A field for any number of the given choices. An optional field is omitted if none is selected. */
export function ChoicesField({
  id,
  label,
  schema,
  isRequired,
  value,
  onChange,
  shape,
}: ShapedProps<"choices">): VNode {
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const change = (next: readonly unknown[]): void =>
    onChange(next.length > 0 || isRequired ? next : undefined);
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
