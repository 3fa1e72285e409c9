import type { ToolResult } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import type { Outcome } from "../state/calls.js";
import { ContentView, ResourceView, type Follow } from "./content-view.js";
import { DataView } from "./data-view.js";
import { JsonView } from "./json-view.js";

/** What came of a call, for people. */
export function OutcomeView({ outcome, follow }: { outcome: Outcome; follow: Follow }): VNode {
  return (
    <>
      <OutcomeBody outcome={outcome} follow={follow} />
      {outcome.type !== "error" && <Meta meta={outcome.result._meta} />}
    </>
  );
}

/** Of every result; the top of the page has it already. */
const SERVER = "io.modelcontextprotocol/serverInfo";

/** What a result has for programs, where it has any. */
function Meta({ meta = {} }: { meta: Record<string, unknown> | undefined }): VNode | null {
  const { [SERVER]: _server, ...rest } = meta;
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
        <div class="refusal">
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
  const data = unwrapped(structuredContent);
  const isSaidTwice = (text: string): boolean =>
    structuredContent !== undefined && isJsonOf(text, [structuredContent, data]);
  const shown = content.filter((each) => each.type !== "text" || !isSaidTwice(each.text));
  return (
    <div class={isError ? "refusal" : undefined}>
      {structuredContent !== undefined && <DataView value={data} />}
      {shown.map((each, index) => (
        <ContentView key={index} content={each} follow={follow} />
      ))}
      {structuredContent === undefined && content.length === 0 && (
        <p class="hint">It has returned nothing.</p>
      )}
    </div>
  );
}

/** Revisions that want an object put anything else into one. */
function unwrapped(value: unknown): unknown {
  const isPair = typeof value === "object" && value !== null && Object.keys(value).join() === "result";
  return isPair ? (value as { result: unknown }).result : value;
}

function isJsonOf(text: string, values: readonly unknown[]): boolean {
  try {
    const normal = JSON.stringify(JSON.parse(text));
    return values.some((value) => JSON.stringify(value) === normal);
  } catch {
    return false;
  }
}
