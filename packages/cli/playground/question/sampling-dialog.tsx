import type { CreateMessageParams, CreateMessageResult, SamplingContent } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Dialog } from "../controls/dialog.js";
import { ArgumentsForm, initialArguments, type Arguments } from "../form/arguments-form.js";
import { ContentView } from "../result/content-view.js";
import { JsonView } from "../result/json-view.js";
import type { Question } from "../state/questions.js";

type SamplingTool = NonNullable<CreateMessageParams["tools"]>[number];

/** What the server asks the client's model, which a person answers in its place: in words, or by calling a tool. */
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
      <button type="button" onClick={() => answer(new Error("The user has declined."))}>
        Decline
      </button>
    </>
  );
  return (
    <Dialog title="The server asks your model" onClose={() => answer(new Error("The user has cancelled."))}>
      <Conversation params={params} />
      {tools.length > 0 && (
        <div class="field">
          <label for="sample-tool">The model</label>
          <select
            id="sample-tool"
            value={tool?.name ?? ""}
            onChange={({ currentTarget: { value } }) => setTool(tools.find(({ name }) => name === value))}
          >
            <option value="">says something</option>
            {tools.map(({ name }) => (
              <option key={name} value={name}>
                calls {name}
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
        <Words onSend={answer}>{buttons}</Words>
      )}
      <details class="definition">
        <summary>The whole request</summary>
        <JsonView value={params} label="Request" />
      </details>
    </Dialog>
  );
}

interface ReplyProps {
  onSend(reply: CreateMessageResult): void;
  /** The buttons at its end. */
  children: VNode;
}

function Words({ onSend, children }: ReplyProps): VNode {
  const [text, setText] = useState("");
  const send = (): void => onSend(replyOf({ type: "text", text }, "endTurn"));
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
        <label for="sample">What the model says</label>
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
}: ReplyProps & { tool: SamplingTool }): VNode {
  const [input, setInput] = useState<Arguments>(() => initialArguments(inputSchema));
  return (
    <>
      {description !== undefined && <p class="hint">{description}</p>}
      <ArgumentsForm
        id="sample"
        schema={inputSchema}
        value={input}
        onChange={setInput}
        onSubmit={() => onSend(replyOf({ type: "tool_use", id: "playground-1", name, input }, "toolUse"))}
        nothing="It takes no arguments."
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
      {messages.map(({ role, content }, index) => (
        <div class={`message ${role}`} key={index}>
          <p class="role">{role}</p>
          {[content].flat().map((each, place) => (
            <Said key={place} content={each} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Said({ content }: { content: SamplingContent }): VNode {
  if (content.type === "text") return <p class="plain">{content.text}</p>;
  if (content.type === "image" || content.type === "audio")
    return <ContentView content={content} follow={() => {}} />;
  return <JsonView value={content} />;
}

function replyOf(content: SamplingContent, stopReason: string): CreateMessageResult {
  return { role: "assistant", content, model: "playground", stopReason };
}
