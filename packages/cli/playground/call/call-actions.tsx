import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { omitSecrets } from "../form/secrets.js";
import type { Call } from "../state/calls.js";
import type { Entry } from "../state/entries.js";
import type { Playground } from "../state/playground.js";
import { createTestSource } from "../state/test-source.js";
import { CopyButton } from "../controls/copy-button.js";
import { Dialog } from "../controls/dialog.js";
import { TextLine } from "../controls/text-line.js";

/** Buttons that copy a call as a test, or save it, without its secrets. */
export function CallActions({
  playground,
  entry,
  call,
}: {
  playground: Playground;
  entry: Entry;
  call: Call;
}): VNode {
  const [isSaving, setSaving] = useState(false);
  return (
    <>
      <CopyButton text={() => createTestSource(call, entry.schema)} label="Copy as test" />
      <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => setSaving(true)}>
        Save call
      </button>
      {isSaving && (
        <SaveDialog playground={playground} entry={entry} call={call} onClose={() => setSaving(false)} />
      )}
    </>
  );
}

function SaveDialog({
  playground,
  entry: { kind, key, schema },
  call,
  onClose,
}: {
  playground: Playground;
  entry: Entry;
  call: Call;
  onClose(): void;
}): VNode {
  const { saved } = playground.notes.value;
  const [name, setName] = useState("");
  const isTaken = (each: { name: string; kind: string; key: string }): boolean =>
    each.name === name.trim() && each.kind === kind && each.key === key;
  const save = (): void => {
    if (name.trim() === "") return;
    const others = saved.filter((each) => !isTaken(each));
    playground.setSaved([...others, { name: name.trim(), kind, key, args: omitSecrets(call.args, schema) }]);
    onClose();
  };
  return (
    <Dialog title="Save call" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextLine
          id="save-name"
          label="Name"
          hint={saved.some(isTaken) ? "This replaces the saved call with the same name." : undefined}
          value={name}
          onChange={setName}
        />
        <div class="actions">
          <button type="submit" class="main" disabled={name.trim() === ""}>
            Save
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
