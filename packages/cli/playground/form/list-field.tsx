import type { VNode } from "preact";
import { Group } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";
import { getInitialValue } from "./schema.js";

/** A field for a list of values of one type. */
export function ListField(props: ShapedProps<"list">): VNode {
  const { id, root, label, value, onChange, shape, suggest, Nested } = props;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return (
    <Group {...props} kind="array">
      {items.map((item, index) => (
        <div class="item" key={index}>
          <Nested
            schema={shape.items}
            root={root}
            id={`${id}-${index}`}
            label={String(index + 1)}
            isRequired
            value={item ?? undefined}
            suggest={suggest && ((_label, text) => suggest(label, text))}
            onChange={(next) =>
              onChange(items.map((each, other) => (other === index ? (next ?? null) : each)))
            }
          />
          <button
            type="button"
            class="quiet"
            aria-label={`Remove item ${index + 1} of ${label}`}
            onClick={() => onChange(items.filter((_, other) => other !== index))}
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        class="quiet"
        disabled={items.length >= shape.maxItems}
        onClick={() => onChange([...items, getInitialValue(shape.items, root) ?? null])}
      >
        Add item to {label}
      </button>
    </Group>
  );
}
