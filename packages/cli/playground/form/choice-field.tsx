import type { VNode } from "preact";
import { Labeled } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";
import { useFieldError } from "./field-errors.js";

/** A field for one of several values. */
export function ChoiceField(props: ShapedProps<"choice">): VNode {
  const { id, label, isRequired, value, onChange, shape } = props;
  const chosen = shape.choices.findIndex((choice) => choice.value === value);
  return (
    <Labeled {...props}>
      <select
        id={id}
        name={label}
        value={String(chosen)}
        aria-required={isRequired}
        aria-invalid={useFieldError(id) !== undefined}
        aria-describedby={`${id}-about`}
        onChange={({ currentTarget }) => onChange(shape.choices[Number(currentTarget.value)]?.value)}
      >
        <option value="-1">{isRequired ? "Choose…" : "Not set"}</option>
        {shape.choices.map((choice, index) => (
          <option key={choice.label} value={String(index)}>
            {choice.label}
          </option>
        ))}
      </select>
    </Labeled>
  );
}
