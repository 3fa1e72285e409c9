import type { CacheHint } from "../../data/results/cache-hints.js";
import { projectResource } from "../../protocol/projection.js";
import type { ServedTemplate } from "../assembly/entries.js";
import type { Call } from "../connection/call.js";
import { findMissingScopes } from "../stages/authorize.js";
import { createValidation } from "../stages/result-steps.js";
import type { ServerParts } from "../stages/stage.js";
import { type Listed, readListed, toListed, toResource, withoutDuplicates } from "./listed-resources.js";
import { throwHandlerFailure, type Method } from "./method.js";
import { createInvalidCursorError, selectPage } from "./paging.js";

/** The resources of one response, and the cursor of the next page. */
interface ListedPage {
  readonly items: readonly Listed[];
  readonly cursor: string | undefined;
}

/** A cursor of a template that lists its resources in pages: the index of the template, and its own cursor. */
const TEMPLATE_CURSOR = /^t(0|[1-9]\d{0,5})\.(.*)$/s;

/**
 * Creates `resources/list` for a server whose templates list their resources. The first pages contain the fixed resources and
 * those of templates that return all of theirs at once. The pages of each other template follow.
 *
 * @param templates the templates with a `list` callback
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#listing-resources
 */
export function listWithTemplates(
  templates: readonly ServedTemplate[],
  hint: CacheHint,
  server: ServerParts,
): Method {
  const { entries, settings, write } = server;
  const fixed = [...entries.resources.values()];
  const paged = templates.filter(({ openListCursor }) => openListCursor !== undefined);
  const whole = templates.filter((each) => !paged.includes(each));
  const getReject = createValidation({ subject: "list of resources" }, server);
  const isVisible = (call: Call, { entry, handler }: ServedTemplate): boolean =>
    handler.isEnabled(call) && findMissingScopes(call, entry, settings.auth).length === 0;

  /** Returns the resources that are listed at once. */
  const listWhole = async (call: Call): Promise<readonly Listed[]> => {
    const visible = whole.filter((each) => isVisible(call, each));
    const lists = await Promise.all(
      visible.map(async (each) => toListed(await each.list?.(call), each, getReject(call))),
    );
    const enabled = fixed
      .filter((each) => each.handler.isEnabled(call))
      .map((each): Listed => ({ resource: each.entry.definition }));
    return withoutDuplicates([...enabled, ...lists.flat()]);
  };

  /** Returns the first page of the first visible template at or after an index, or the end of the list. */
  const listNext = async (call: Call, index: number): Promise<ListedPage> => {
    const next = paged.findIndex((each, at) => at >= index && isVisible(call, each));
    return next < 0 ? { items: [], cursor: undefined } : listTemplate(call, next, "");
  };

  /** Returns one page of a template. */
  const listTemplate = async (call: Call, index: number, text: string): Promise<ListedPage> => {
    const template = paged[index];
    const isListed = template !== undefined && isVisible(call, template);
    const cursor = isListed ? template.openListCursor?.(call, text) : undefined;
    if (template === undefined || cursor === undefined) throw createInvalidCursorError();
    const { items, nextCursor } = readListed(
      await template.list?.(call, cursor),
      template,
      call,
      getReject(call),
    );
    if (nextCursor !== undefined) return { items, cursor: `t${index}.${nextCursor}` };
    const hasNext = paged.some((each, at) => at > index && isVisible(call, each));
    if (items.length === 0 && hasNext) return listNext(call, index + 1);
    return { items, cursor: hasNext ? `t${index + 1}.` : undefined };
  };

  const listFirst = async (call: Call): Promise<ListedPage> => {
    const all = await listWhole(call);
    const getKey = ({ resource }: Listed): string => resource.uri;
    const { page, cursor } = selectPage("resources", all, getKey, call.params, settings.pageSize);
    if (cursor !== undefined) return { items: page, cursor };
    const next = await listNext(call, 0);
    return { ...next, items: withoutDuplicates([...page, ...next.items]) };
  };

  return async (call) => {
    const { params, revision } = call;
    try {
      // Only strings are matched; `selectPage` rejects any other cursor.
      const match = typeof params.cursor === "string" ? TEMPLATE_CURSOR.exec(params.cursor) : null;
      const [, index, text = ""] = match ?? [];
      if (Number(index) >= paged.length) throw createInvalidCursorError();
      const { items, cursor } = await (index === undefined
        ? listFirst(call)
        : text === ""
          ? listNext(call, Number(index))
          : listTemplate(call, Number(index), text));
      const reject = getReject(call);
      const resources = items.map((each) => projectResource(toResource(each, reject), revision));
      return write(revision, { resources, nextCursor: cursor }, { hint });
    } catch (error) {
      return throwHandlerFailure(server, error, "list of resources", call);
    }
  };
}
