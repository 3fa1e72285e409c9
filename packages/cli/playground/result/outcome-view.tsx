import type { ToolResult } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import type { Outcome } from "../state/calls.js";
import { ContentView, ResourceView, type Follow } from "./content-view.js";
import { DataView } from "./data-view.js";
import { isJsonText } from "../../src/call/result-size.js";
import { JsonView } from "./json-view.js";

/** The outcome of a call, formatted for reading. */
export function OutcomeView({ outcome, follow }: { outcome: Outcome; follow: Follow }): VNode {
  return (
    <>
      <OutcomeBody outcome={outcome} follow={follow} />
      {outcome.type !== "error" && <Meta meta={outcome.result._meta} />}
    </>
  );
}

/** The key of the metadata about the server, which the top bar already shows. */
const SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";

/** The metadata of a result, if there is any apart from the server's. */
function Meta({ meta = {} }: { meta: Record<string, unknown> | undefined }): VNode | null {
  const { [SERVER_INFO_KEY]: _server, ...rest } = meta;
  if (Object.keys(rest).length === 0) return null;
  return (
    <section class="meta" aria-label="_meta">
      <p class="hint">_meta</p>
      <DataView value={rest} />
    </section>
  );
}

function OutcomeBody({ outcome, follow }: { outcome: Outcome; follow: Follow }): VNode {
  switch (outcome.type) {
    case "error":
      return (
        <div class="failure">
          <p class="plain">{outcome.message}</p>
          {outcome.data !== undefined && <JsonView value={outcome.data} />}
        </div>
      );
    case "tool":
      return <ToolResultView result={outcome.result} follow={follow} />;
    case "prompt":
      return (
        <div class="messages">
          {outcome.result.description && <p class="hint">{outcome.result.description}</p>}
          {outcome.result.messages.map(({ role, content }, index) => (
            <div class={`message ${role}`} key={index}>
              <p class="role">{role}</p>
              <ContentView content={content} follow={follow} />
            </div>
          ))}
        </div>
      );
    case "resource":
      return (
        <>
          {outcome.result.contents.map((contents) => (
            <ResourceView key={contents.uri} contents={contents} follow={follow} />
          ))}
        </>
      );
  }
}

function ToolResultView({ result, follow }: { result: ToolResult; follow: Follow }): VNode {
  const { content = [], structuredContent, isError } = result;
  const data = unwrapResult(structuredContent);
  const isDuplicate = (text: string): boolean =>
    structuredContent !== undefined && isJsonText(text, structuredContent);
  const shown = content.filter((each) => each.type !== "text" || !isDuplicate(each.text));
  return (
    <div class={isError ? "failure" : undefined}>
      {structuredContent !== undefined && <DataView value={data} />}
      {shown.map((each, index) => (
        <ContentView key={index} content={each} follow={follow} />
      ))}
      {structuredContent === undefined && content.length === 0 && (
        <p class="hint">The tool returned nothing.</p>
      )}
    </div>
  );
}

/** Returns the value in the object `{ result }`, in which revisions that require an object wrap other values. */
function unwrapResult(value: unknown): unknown {
  const isWrapped = typeof value === "object" && value !== null && Object.keys(value).join() === "result";
  return isWrapped ? (value as { result: unknown }).result : value;
}
