import type { VNode } from "preact";
import { Dialog } from "../controls/dialog.js";

/** The dialog that confirms the first call of a destructive tool. */
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
      <p class="question">
        This tool is marked as destructive. Only its first call requires this confirmation.
      </p>
      <div class="actions">
        <button type="button" class="main" onClick={onConfirm}>
          Call
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
