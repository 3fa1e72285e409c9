import type { CreateMessageParams, CreateMessageResult, SamplingContent } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ArgumentsForm, initialArguments, type Arguments } from "../form/arguments-form.js";
import { JsonView } from "../result/json-view.js";
import type { Question } from "../state/questions.js";
import { Dialog } from "../controls/dialog.js";

/** What the server asks, and a form for the answer. */
export function QuestionDialog({ question }: { question: Question }): VNode {
  return question.kind === "sampling" ? (
    <Sampling question={question} />
  ) : (
    <Elicitation question={question} />
  );
}

function Elicitation({ question }: { question: Extract<Question, { kind: "elicitation" }> }): VNode {
  const { params, answer } = question;
  const schema = params.requestedSchema ?? { type: "object", properties: {} };
  const [content, setContent] = useState<Arguments>(() => initialArguments(schema));
  const accept = (): void => answer({ action: "accept", content });
  const buttons = (
    <>
      <button type="submit" class="main">
        {params.url === undefined ? "Send" : "I have done it"}
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
      <p class="question">{params.message}</p>
      {params.url === undefined ? (
        <ArgumentsForm id="answer" schema={schema} value={content} onChange={setContent} onSubmit={accept}>
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
            {/^https?:/i.test(params.url) ? (
              <a href={params.url} target="_blank" rel="noopener noreferrer">
                {params.url}
              </a>
            ) : (
              <code>{params.url}</code>
            )}
          </p>
          <div class="actions">{buttons}</div>
        </form>
      )}
    </Dialog>
  );
}

function Sampling({
  question: { params, answer },
}: {
  question: Extract<Question, { kind: "sampling" }>;
}): VNode {
  const [text, setText] = useState("");
  return (
    <Dialog title="The server asks your model" onClose={() => answer(new Error("The user has cancelled."))}>
      <Conversation params={params} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          answer(replyOf(text));
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) answer(replyOf(text));
        }}
      >
        <div class="field">
          <label for="sample">What the model says</label>
          <textarea
            id="sample"
            rows={5}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
        <div class="actions">
          <button type="submit" class="main">
            Send
          </button>
          <button type="button" onClick={() => answer(new Error("The user has declined."))}>
            Decline
          </button>
        </div>
      </form>
      <details class="definition">
        <summary>The whole request</summary>
        <JsonView value={params} label="Request" />
      </details>
    </Dialog>
  );
}

function Conversation({ params: { systemPrompt, messages } }: { params: CreateMessageParams }): VNode {
  return (
    <div class="messages">
      {systemPrompt !== undefined && (
        <div class="message">
          <p class="role">system</p>
          <p class="plain">{systemPrompt}</p>
        </div>
      )}
      {messages.map(({ role, content }, index) => (
        <div class={`message ${role}`} key={index}>
          <p class="role">{role}</p>
          {[content].flat().map((each, place) => (
            <p class="plain" key={place}>
              {textOf(each)}
            </p>
          ))}
        </div>
      ))}
    </div>
  );
}

function textOf(content: SamplingContent): string {
  return content.type === "text" ? content.text : `(${content.type})`;
}

function replyOf(text: string): CreateMessageResult {
  return { role: "assistant", content: { type: "text", text }, model: "playground", stopReason: "endTurn" };
}
