import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Dialog } from "../controls/dialog.js";
import { ArgumentsForm, initialArguments, type Arguments } from "../form/arguments-form.js";
import type { Question } from "../state/questions.js";
import { missingIn, questionSchema, withDefaults } from "./question-schema.js";

/** A form or a page that the server wants put before a person. */
export function ElicitationDialog({
  question: { params, answer },
}: {
  question: Extract<Question, { kind: "elicitation" }>;
}): VNode {
  const { message, requestedSchema = {}, url } = params;
  const schema = useMemo(() => questionSchema(requestedSchema), [requestedSchema]);
  const [content, setContent] = useState<Arguments>(() => initialArguments(withDefaults(schema)));
  const [isWarned, setWarned] = useState(false);
  const missing = missingIn(schema, content, "answer");
  const isIncomplete = isWarned && missing.size > 0;
  /** What is not complete is sent as well, by who has been told: their server has to take it. */
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
        {url !== undefined ? "I have done it" : isIncomplete ? "Send all the same" : "Send"}
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
    <Dialog title="The server asks" onClose={() => answer({ action: "cancel" })}>
      <p class="question">{message}</p>
      {url === undefined ? (
        <ArgumentsForm
          id="answer"
          schema={schema}
          value={content}
          onChange={setContent}
          onSubmit={accept}
          refusals={isWarned ? missing : undefined}
          nothing="There is nothing to fill in."
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
            It wants this page to be visited:{" "}
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
