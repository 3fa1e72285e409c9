import type { VNode } from "preact";
import { Dialog } from "../controls/dialog.js";

/** Asks before the first call of a tool that may destroy something. */
export function ConfirmDialog({
  name,
  onConfirm,
  onClose,
}: {
  name: string;
  onConfirm(): void;
  onClose(): void;
}): VNode {
  return (
    <Dialog title={`Call ${name}?`} onClose={onClose}>
      <p class="question">It says of itself that it may destroy something. This is asked once.</p>
      <div class="actions">
        <button type="button" class="main" onClick={onConfirm}>
          Call it
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
