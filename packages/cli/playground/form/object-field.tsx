import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Group } from "./field-parts.js";
import type { ShapedProps } from "./field-props.js";
import { getInitialValue } from "./schema.js";

type Members = Record<string, unknown>;

/** A group with the fields of an object. */
export function ObjectField(props: ShapedProps<"object">): VNode {
  return (
    <Group {...props} kind="object">
      <ObjectFields {...props} />
    </Group>
  );
}

/** The fields of an object, without a group. */
export function ObjectFields(props: ShapedProps<"object">): VNode {
  const { id, root, value, onChange, shape, suggest, Nested } = props;
  const members: Members = typeof value === "object" && value !== null ? (value as Members) : {};
  const set = (name: string, member: unknown): void => {
    const { [name]: _previous, ...others } = members;
    // Members of the schema keep its order. Others follow in the order in which they were added.
    const next = member === undefined ? others : { ...members, [name]: member };
    onChange(
      orderMembers(
        next,
        shape.properties.map(([each]) => each),
      ),
    );
  };
  const known = new Set(shape.properties.map(([name]) => name));
  const extra = Object.keys(members).filter((name) => !known.has(name));
  return (
    <>
      {shape.properties.map(([name, schema]) => (
        <Nested
          key={name}
          schema={schema}
          root={root}
          id={`${id}-${name}`}
          label={name}
          isRequired={shape.required.has(name)}
          value={members[name]}
          onChange={(member) => set(name, member)}
          suggest={suggest}
        />
      ))}
      {shape.extra &&
        extra.map((name) => (
          <div class="item" key={name}>
            <Nested
              schema={shape.extra ?? {}}
              root={root}
              id={`${id}-${name}`}
              label={name}
              isRequired
              value={members[name]}
              onChange={(member) => set(name, member ?? null)}
            />
            <button
              type="button"
              class="quiet"
              aria-label={`Remove ${name}`}
              onClick={() => set(name, undefined)}
            >
              Remove
            </button>
          </div>
        ))}
      {shape.extra && (
        <NewMember
          id={id}
          takenNames={new Set([...known, ...extra])}
          onAdd={(name) => set(name, getInitialValue(shape.extra ?? {}, root) ?? null)}
        />
      )}
    </>
  );
}

function NewMember({
  id,
  takenNames,
  onAdd,
}: {
  id: string;
  takenNames: ReadonlySet<string>;
  onAdd(name: string): void;
}): VNode {
  const [name, setName] = useState("");
  const add = (): void => {
    if (name === "" || takenNames.has(name)) return;
    onAdd(name);
    setName("");
  };
  return (
    <div class="row">
      <input
        id={`${id}-new`}
        type="text"
        aria-label="Name of the new property"
        placeholder="name"
        autocomplete="off"
        value={name}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          add();
        }}
      />
      <button type="button" class="quiet" onClick={add} disabled={name === "" || takenNames.has(name)}>
        Add property
      </button>
    </div>
  );
}

function orderMembers(members: Members, names: readonly string[]): Members {
  const known = names.flatMap((name) => (name in members ? [[name, members[name]] as const] : []));
  return { ...Object.fromEntries(known), ...members };
}
