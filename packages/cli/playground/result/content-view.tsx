import type { Content, ResourceContents } from "@tenon/runtime/manifest";
import type { ComponentChild, VNode } from "preact";
import { useState } from "preact/hooks";
import { JsonView } from "./json-view.js";
import { looksLikeMarkdown, Markdown } from "./markdown.js";
import { PlainText } from "./plain-text.js";

/** A function that follows a link to a resource of the server. */
export type Follow = (uri: string) => void;

/** One block of content. */
export function ContentView({ content, follow }: { content: Content; follow: Follow }): VNode {
  switch (content.type) {
    case "text":
      return <TextView text={content.text} />;
    case "image":
      return <Picture data={content.data} mimeType={content.mimeType} />;
    case "audio":
      return <Sound data={content.data} mimeType={content.mimeType} />;
    case "resource":
      return <ResourceView contents={content.resource} follow={follow} />;
    case "resource_link":
      return <ResourceLinkView {...content} follow={follow} />;
  }
}

/** Maximum length of text that is rendered as Markdown by default. */
const MAX_MARKDOWN_CHARACTERS = 100_000;

/** A text, rendered as JSON if its MIME type is JSON, and as Markdown if it looks like Markdown. */
function TextView({ text, mimeType }: { text: string; mimeType?: string | undefined }): VNode {
  const isData = mimeType !== undefined && /[/+]json$/.test(mimeType);
  const canRender = !isData && (mimeType === "text/markdown" || looksLikeMarkdown(text));
  const [isPlain, setPlain] = useState(text.length > MAX_MARKDOWN_CHARACTERS);
  const data = isData ? parseJson(text) : undefined;
  if (data !== undefined) return <JsonView value={data} />;
  return (
    <div class="text">
      {canRender && (
        <button type="button" class="quiet corner" aria-pressed={isPlain} onClick={() => setPlain(!isPlain)}>
          {isPlain ? "Show as Markdown" : "Show as text"}
        </button>
      )}
      {canRender && !isPlain ? <Markdown text={text} /> : <PlainText text={text} />}
    </div>
  );
}

export function ResourceView({ contents, follow }: { contents: ResourceContents; follow: Follow }): VNode {
  const { uri, mimeType } = contents;
  return (
    <figure class="resource">
      <figcaption>
        <button type="button" class="link" onClick={() => follow(uri)}>
          {uri}
        </button>
        {mimeType !== undefined && <span class="hint">{mimeType}</span>}
      </figcaption>
      {"text" in contents ? (
        <TextView text={contents.text} mimeType={mimeType} />
      ) : (
        <Bytes data={contents.blob} mimeType={mimeType ?? "application/octet-stream"} />
      )}
    </figure>
  );
}

function ResourceLinkView({
  uri,
  name,
  title,
  description,
  mimeType,
  follow,
}: Extract<Content, { type: "resource_link" }> & { follow: Follow }): VNode {
  return (
    <div class="resource-link">
      <button type="button" class="link" onClick={() => follow(uri)}>
        {title ?? name}
      </button>
      <code>{uri}</code>
      <span class="hint">{[mimeType, description].filter(Boolean).join(" · ")}</span>
    </div>
  );
}

function Bytes({ data, mimeType }: { data: string; mimeType: string }): ComponentChild {
  if (mimeType.startsWith("image/")) return <Picture data={data} mimeType={mimeType} />;
  if (mimeType.startsWith("audio/")) return <Sound data={data} mimeType={mimeType} />;
  return (
    <p>
      <a class="button" download="resource" href={toDataUrl(data, mimeType)}>
        Download {formatSize(data)}
      </a>
    </p>
  );
}

function Picture({ data, mimeType }: { data: string; mimeType: string }): VNode {
  return (
    <figure class="picture">
      <img src={toDataUrl(data, mimeType)} alt={`Image from the server, ${mimeType}`} />
      <figcaption class="hint">
        {mimeType}, {formatSize(data)}
      </figcaption>
    </figure>
  );
}

function Sound({ data, mimeType }: { data: string; mimeType: string }): VNode {
  return (
    <figure class="sound">
      <audio controls src={toDataUrl(data, mimeType)} />
      <figcaption class="hint">
        {mimeType}, {formatSize(data)}
      </figcaption>
    </figure>
  );
}

function toDataUrl(data: string, mimeType: string): string {
  return `data:${mimeType};base64,${data}`;
}

function formatSize(base64: string): string {
  const bytes = Math.floor((base64.replaceAll("=", "").length * 3) / 4);
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
