import type { JsonSchema } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import { Group } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";
import { getInitialValue } from "./schema.js";

/** A field for a tuple. Its last values may be optional, and its schema may allow more after them. */
export function TupleField(props: ShapedProps<"tuple">): VNode {
  const { id, root, label, value, onChange, shape, Nested } = props;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const getItemSchema = (index: number): JsonSchema => shape.items[index] ?? shape.rest ?? {};
  const canAdd = items.length < shape.items.length || shape.rest !== undefined;
  return (
    <Group {...props} kind="array">
      {items.map((item, index) => (
        <div class="item" key={index}>
          <Nested
            schema={getItemSchema(index)}
            root={root}
            id={`${id}-${index}`}
            label={getItemSchema(index).title ?? String(index + 1)}
            isRequired
            value={item ?? undefined}
            onChange={(next) =>
              onChange(items.map((each, other) => (other === index ? (next ?? null) : each)))
            }
          />
          {index === items.length - 1 && index >= shape.minItems && (
            <button
              type="button"
              class="quiet"
              aria-label={`Remove item ${index + 1} of ${label}`}
              onClick={() => onChange(items.slice(0, -1))}
            >
              Remove
            </button>
          )}
        </div>
      ))}
      {canAdd && (
        <button
          type="button"
          class="quiet"
          onClick={() => onChange([...items, getInitialValue(getItemSchema(items.length), root) ?? null])}
        >
          Add item to {label}
        </button>
      )}
    </Group>
  );
}
