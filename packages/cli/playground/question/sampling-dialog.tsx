import type { CreateMessageParams, CreateMessageResult, SamplingContent } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { toModelMessage } from "../../src/answers/answer-notation.js";
import { Dialog } from "../controls/dialog.js";
import { ArgumentsForm, getInitialArguments } from "../form/arguments-form.js";
import type { Arguments } from "../form/schema.js";
import { ContentView } from "../result/content-view.js";
import { JsonView } from "../result/json-view.js";
import type { Question } from "../state/questions.js";

type SamplingTool = NonNullable<CreateMessageParams["tools"]>[number];

/** A sampling request, which the developer answers on behalf of the model: with text, or with a tool call. */
export function SamplingDialog({
  question: { params, answer },
}: {
  question: Extract<Question, { kind: "sampling" }>;
}): VNode {
  const { tools = [], toolChoice } = params;
  const [tool, setTool] = useState(toolChoice?.mode === "required" ? tools[0] : undefined);
  const buttons = (
    <>
      <button type="submit" class="main">
        Send
      </button>
      <button type="button" onClick={() => answer(new Error("The user declined the request."))}>
        Decline
      </button>
    </>
  );
  return (
    <Dialog
      title="The server requests a model response"
      onClose={() => answer(new Error("The user cancelled the request."))}
    >
      <Conversation params={params} />
      {tools.length > 0 && (
        <div class="field">
          <label for="sample-tool">Model response</label>
          <select
            id="sample-tool"
            value={tool?.name ?? ""}
            onChange={({ currentTarget: { value } }) => setTool(tools.find(({ name }) => name === value))}
          >
            <option value="">Text</option>
            {tools.map(({ name }) => (
              <option key={name} value={name}>
                Call {name}
              </option>
            ))}
          </select>
        </div>
      )}
      {tool ? (
        <ToolUse key={tool.name} tool={tool} onSend={answer}>
          {buttons}
        </ToolUse>
      ) : (
        <TextResponse onSend={answer}>{buttons}</TextResponse>
      )}
      <details class="definition">
        <summary>Full request</summary>
        <JsonView value={params} label="Request" />
      </details>
    </Dialog>
  );
}

interface ResponseProps {
  onSend(response: CreateMessageResult): void;
  /** The buttons at the end of the form. */
  children: VNode;
}

function TextResponse({ onSend, children }: ResponseProps): VNode {
  const [text, setText] = useState("");
  const send = (): void => onSend(toModelMessage(text, "playground"));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
      }}
    >
      <div class="field">
        <label for="sample">Response text</label>
        <textarea
          id="sample"
          rows={5}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      <div class="actions">{children}</div>
    </form>
  );
}

function ToolUse({
  tool: { name, description, inputSchema },
  onSend,
  children,
}: ResponseProps & { tool: SamplingTool }): VNode {
  const [input, setInput] = useState<Arguments>(() => getInitialArguments(inputSchema));
  return (
    <>
      {description !== undefined && <p class="hint">{description}</p>}
      <ArgumentsForm
        id="sample"
        schema={inputSchema}
        value={input}
        onChange={setInput}
        onSubmit={() => {
          const content = { type: "tool_use", id: "playground-1", name, input } as const;
          onSend(toModelMessage({ content, stopReason: "toolUse" }, "playground"));
        }}
        emptyText="This tool has no arguments."
      >
        {children}
      </ArgumentsForm>
    </>
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
      {messages.map(({ role, content }, messageIndex) => (
        <div class={`message ${role}`} key={messageIndex}>
          <p class="role">{role}</p>
          {[content].flat().map((each, index) => (
            <MessageContent key={index} content={each} />
          ))}
        </div>
      ))}
    </div>
  );
}

function MessageContent({ content }: { content: SamplingContent }): VNode {
  if (content.type === "text") return <p class="plain">{content.text}</p>;
  if (content.type === "image" || content.type === "audio")
    return <ContentView content={content} follow={() => {}} />;
  return <JsonView value={content} />;
}
