import type { JsonSchema } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import { Group } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";
import { initialValue } from "./schema.js";

/** Values in fixed places, of which the last may be left out, and any number after them where that is allowed. */
export function TupleField(props: ShapedProps<"tuple">): VNode {
  const { id, root, label, value, onChange, shape, Nested } = props;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const schemaAt = (index: number): JsonSchema => shape.items[index] ?? shape.rest ?? {};
  const isMore = items.length < shape.items.length || shape.rest !== undefined;
  return (
    <Group {...props} kind="array">
      {items.map((item, index) => (
        <div class="item" key={index}>
          <Nested
            schema={schemaAt(index)}
            root={root}
            id={`${id}-${index}`}
            label={schemaAt(index).title ?? String(index + 1)}
            isRequired
            value={item ?? undefined}
            onChange={(next) =>
              onChange(items.map((each, other) => (other === index ? (next ?? null) : each)))
            }
          />
          {index === items.length - 1 && index >= shape.least && (
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
      {isMore && (
        <button
          type="button"
          class="quiet"
          onClick={() => onChange([...items, initialValue(schemaAt(items.length), root) ?? null])}
        >
          Add item to {label}
        </button>
      )}
    </Group>
  );
}
