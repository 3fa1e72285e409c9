import type { VNode } from "preact";
import { Group } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";

/** Any of several values. */
export function ChoicesField(props: ShapedProps<"choices">): VNode {
  const { id, value, onChange, shape } = props;
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <Group {...props} kind="array">
      {shape.choices.map((choice, index) => (
        <div class="check" key={choice.label}>
          <input
            id={`${id}-${index}`}
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={({ currentTarget }) => {
              const others = chosen.filter((each) => each !== choice.value);
              onChange(currentTarget.checked ? [...others, choice.value] : others);
            }}
          />
          <label for={`${id}-${index}`}>{choice.label}</label>
        </div>
      ))}
    </Group>
  );
}
