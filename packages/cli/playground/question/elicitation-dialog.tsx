import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Dialog } from "../controls/dialog.js";
import { ArgumentsForm, getInitialArguments } from "../form/arguments-form.js";
import type { Arguments } from "../form/schema.js";
import type { Question } from "../state/questions.js";
import { findMissingFields, toFormSchema, requireDefaults } from "./question-schema.js";

/** The dialog for a form or a page that the server requests a person to complete. */
export function ElicitationDialog({
  question: { params, answer },
}: {
  question: Extract<Question, { kind: "elicitation" }>;
}): VNode {
  const { message, requestedSchema = {}, url } = params;
  const schema = useMemo(() => toFormSchema(requestedSchema), [requestedSchema]);
  const [content, setContent] = useState<Arguments>(() => getInitialArguments(requireDefaults(schema)));
  const [isWarned, setWarned] = useState(false);
  const missing = findMissingFields(schema, content, "answer");
  const isIncomplete = isWarned && missing.size > 0;
  /** Sends the answer. After a warning, an incomplete answer is sent too, and the server must handle it. */
  const accept = (): void => {
    if (missing.size > 0 && !isWarned) {
      setWarned(true);
      const [first = ""] = missing.keys();
      document.getElementById(first)?.focus();
    } else answer({ action: "accept", content });
  };
  const buttons = (
    <>
      <button type="submit" class="main">
        {url !== undefined ? "Done" : isIncomplete ? "Send anyway" : "Send"}
      </button>
      <button type="button" onClick={() => answer({ action: "decline" })}>
        Decline
      </button>
      <button type="button" class="quiet" onClick={() => answer({ action: "cancel" })}>
        Cancel
      </button>
    </>
  );
  return (
    <Dialog title="The server requests input" onClose={() => answer({ action: "cancel" })}>
      <p class="question">{message}</p>
      {url === undefined ? (
        <ArgumentsForm
          id="answer"
          schema={schema}
          value={content}
          onChange={setContent}
          onSubmit={accept}
          fieldErrors={isWarned ? missing : undefined}
          emptyText="This form has no fields."
        >
          {buttons}
        </ArgumentsForm>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            answer({ action: "accept", content: {} });
          }}
        >
          <p>
            Open this page:{" "}
            {/^https?:/i.test(url) ? (
              <a href={url} target="_blank" rel="noopener noreferrer">
                {url}
              </a>
            ) : (
              <code>{url}</code>
            )}
          </p>
          <div class="actions">{buttons}</div>
        </form>
      )}
    </Dialog>
  );
}
