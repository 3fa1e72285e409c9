import type { ListedResource, ListedResources } from "../../api/options.js";
import { shorten } from "../../data/problems/shorten.js";
import { checkPart, stripResource, objectList, resourceMembers } from "../../data/results/content-check.js";
import { OutputError, type RejectOutput } from "../../data/results/output-check.js";
import type { Resource } from "../../protocol/specification.js";
import type { ServedTemplate } from "../assembly/entries.js";
import type { Call } from "../connection/call.js";

/** A resource to list. */
export interface Listed {
  readonly resource: ListedResource;
  /** The template whose `list` callback returned it, and its index there. Absent for a resource without a template. */
  readonly origin?: { readonly template: ServedTemplate; readonly index: number };
}

/** Converts the result of a `list` callback with a cursor: a page, or the rest of the list. */
export function readListed(
  page: ListedResources | undefined,
  template: ServedTemplate,
  call: Call,
  reject: RejectOutput | undefined,
): { items: Listed[]; nextCursor: string | undefined } {
  if (page === undefined || Array.isArray(page))
    return { items: toListed(page, template, reject), nextCursor: undefined };
  // An empty cursor would request the first page again.
  const nextCursor = page.nextCursor || undefined;
  if (reject && nextCursor !== undefined) template.checkListPage?.(page, call, reject);
  return { items: toListed(page.items, template, reject), nextCursor };
}

/** Converts the result of a `list` callback. Its resources are checked later: only those of one page. */
export function toListed(
  resources: ListedResources | undefined,
  template: ServedTemplate,
  reject: RejectOutput | undefined,
): Listed[] {
  if (reject) checkPart(resources, objectList, ["list"], reject, describeList(template));
  const list = (resources ?? []) as ListedResource[];
  return list.map((resource, index) => ({ resource, origin: { template, index } }));
}

/** Returns the resources without those whose URI an earlier one has. */
export function withoutDuplicates(all: readonly Listed[]): readonly Listed[] {
  const uris = new Set<string>();
  return all.filter(({ resource: { uri } }) => uris.size < uris.add(uri).size);
}

/** Checks a resource that a `list` callback returned, and adds the members of its template that the callback omits. */
export function toResource({ resource, origin }: Listed, reject: RejectOutput | undefined): Resource {
  if (origin === undefined) return resource;
  const { template, index } = origin;
  if (reject) checkResource(resource, template, index, reject);
  const { mimeType, annotations, icons } = template.entry.definition;
  const listed = stripResource(resource);
  return {
    ...listed,
    mimeType: listed.mimeType ?? mimeType,
    annotations: listed.annotations ?? annotations,
    icons: listed.icons ?? icons,
  };
}

/** Checks the members of a resource, and that clients can read it. */
function checkResource(
  resource: ListedResource,
  template: ServedTemplate,
  index: number,
  reject: RejectOutput,
): void {
  const subject = describeList(template);
  checkPart(resource, resourceMembers, ["list", index], reject, subject);
  const { uri } = resource;
  if (template.template.match(uri) !== undefined) return;
  const problem = `\`list[${index}].uri\` must match the template (got ${shorten(uri)})`;
  reject(new OutputError(`The ${subject} is not valid: ${problem}.`));
}

function describeList({ entry }: ServedTemplate): string {
  return `list of resource "${entry.definition.uriTemplate}"`;
}
