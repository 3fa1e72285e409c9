import type { Tool } from "@tenon/runtime/manifest";
import type { ViewServer } from "./view-host.js";

/** A view as its server returns it. */
export interface ViewSource {
  html: string;
  /** The query of the sandbox, which contains the origins that the view declares. */
  query: string;
  /** The permissions of its frame, as in the attribute `allow`. */
  allow: string;
  /** Whether it reports its height. */
  autoSize: boolean;
}

/** Returns the URI of a tool's view, if it has one. */
export function getViewUri(tool: Tool): string | undefined {
  const ui = tool._meta?.["ui"] as { resourceUri?: string } | undefined;
  return ui?.resourceUri;
}

/**
 * Reads a view, and derives from its metadata how it is displayed.
 *
 * @throws Error if the resource has no text
 */
export async function readView(client: Pick<ViewServer, "readResource">, uri: string): Promise<ViewSource> {
  const { contents } = await client.readResource(uri);
  const [content] = contents;
  if (!content || !("text" in content)) throw new Error(`The view ${uri} has no HTML.`);
  const { csp = {}, permissions = {} } = (content._meta?.["ui"] ?? {}) as {
    csp?: object;
    permissions?: Record<string, object>;
  };
  const allow = Object.keys(permissions).map((name) =>
    name === "clipboardWrite" ? "clipboard-write" : name,
  );
  return {
    html: content.text,
    query: `?csp=${encodeURIComponent(JSON.stringify(csp))}`,
    allow: allow.join("; "),
    autoSize: !FIXED_SIZE.test(content.text),
  };
}

/** The mark of a view that does not report its height, which the build writes for `autoSize: false`. */
const FIXED_SIZE = /<html\b[^>]*\sdata-auto-size="false"/i;
