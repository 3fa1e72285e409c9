import type { Difference } from "./compare.js";

/** An intended difference between the responses of Tenon and the official SDK. */
export interface Intended {
  why: string;
  era?: "legacy" | "modern";
  /** The oddity of the request. Default: any. */
  oddity?: RegExp;
  path: RegExp;
  ours: RegExp;
  theirs: RegExp;
}

/** `ours` and `theirs` are matched against the value as JSON. */
export const intended: Intended[] = [
  {
    why: "The response to a request with an unreadable ID has no ID: `null` is not an ID since 2025-11-25.",
    path: /^id$/,
    ours: /^"none"$/,
    theirs: /^"null"$/,
  },
  {
    why: "The ID of a malformed request is returned if it can be read, as JSON-RPC requires.",
    oddity: /^(no method|method number)$/,
    path: /^id$/,
    ours: /^"the request's"$/,
    theirs: /^"null"$/,
  },
  {
    why: "A fraction is not a request ID, so it is not returned.",
    oddity: /^id fraction$/,
    path: /^id$/,
    ours: /^"none"$/,
    theirs: /^"the request's"$/,
  },
  {
    why: "-32000 is not assigned; a request that HTTP rejects is an invalid request.",
    oddity: /^(verb|content-type|no content-type|accept html)/,
    path: /^answer$/,
    ours: /^"error -32600"$/,
    theirs: /^"error -32000"$/,
  },
  {
    why: "A client that accepts neither JSON nor events cannot receive a response, in either era.",
    era: "modern",
    oddity: /^accept html$/,
    path: /^(answer|id|status)$/,
    ours: /^("error -32600"|"none"|406)$/,
    theirs: /^("result( with isError)?"|"the request's"|200)$/,
  },
  {
    why: "Accepting one of the two types is enough if the response has that type: curl and simple clients do so.",
    era: "legacy",
    oddity: /^accept (any|json|events)$/,
    path: /^(answer|id|status)$/,
    ours: /^("result( with isError)?"|"the request's"|200)$/,
    theirs: /^("error -32000"|"null"|406)$/,
  },
  {
    why: "JSON texts must not begin with a byte order mark (RFC 8259).",
    oddity: /^byte order mark$/,
    path: /^(answer|id|status)$/,
    ours: /^("error -32700"|"none"|400)$/,
    theirs: /^("result( with isError)?"|"the request's"|200)$/,
  },
  {
    why: "Members that JSON-RPC does not name are ignored, so that later versions may add some.",
    oddity: /^extra member$/,
    path: /^(answer|status)$/,
    ours: /^("result"|200)$/,
    theirs: /^("error -32600"|400)$/,
  },
  {
    why: "A `_meta` that is not an object is an invalid parameter of a valid request.",
    oddity: /^_meta text$/,
    path: /^answer$/,
    ours: /^"error -32602"$/,
    theirs: /^"error -32600"$/,
  },
  {
    why: "Only 2025-03-26 has batches.",
    era: "legacy",
    oddity: /^batch$/,
    path: /^(answer|id|status)$/,
    ours: /^("error -32600"|"none"|400)$/,
    theirs: /^("result"|"no JSON-RPC message"|"the request's"|200)$/,
  },
  {
    why: "Arguments are written by models, who learn from a result and never see an error.",
    oddity: /^arguments of the wrong type$/,
    path: /^answer$/,
    ours: /^"result with isError"$/,
    theirs: /^"error -32602"$/,
  },
  {
    why: 'Models write "2" for 2, which is converted if only one interpretation is possible.',
    oddity: /^argument (out of range|of any type)$/,
    path: /^answer$/,
    ours: /^"result"$/,
    theirs: /^"result with isError"$/,
  },
  {
    why: "A parameter of the wrong type is the client's mistake, not an internal error of the server.",
    oddity: /^(cursor|uri of the wrong type|tool name of the wrong type)$/,
    path: /^answer$/,
    ours: /^"error -32602"$/,
    theirs: /^"error -32603"$/,
  },
  {
    why: "A cursor that the server did not create is invalid.",
    oddity: /^cursor$/,
    path: /^answer$/,
    ours: /^"error -32602"$/,
    theirs: /^"result"$/,
  },
  {
    why: "Legacy revisions have a separate code for a missing resource.",
    era: "legacy",
    oddity: /^unknown resource$/,
    path: /^answer$/,
    ours: /^"error -32002"$/,
    theirs: /^"error -32602"$/,
  },
  {
    why: "The message names the invalid URI; `data` contains only what the specification defines.",
    oddity: /^unknown resource$/,
    path: /^data\.reason$/,
    ours: /^undefined$/,
    theirs: /^"invalid_uri"$/,
  },
  {
    why: "The message names the mismatch; the specification defines no `data` for these errors.",
    era: "modern",
    oddity: /(header|_meta|^version unknown)/,
    path: /^data(\.mismatch|\.envelope)?$/,
    ours: /^undefined$/,
    theirs: /^\{"(mismatch|envelope)":/,
  },
  {
    why: "Only the modern era has `server/discover`, so its rules apply even without `_meta`.",
    era: "legacy",
    oddity: /^lifecycle$/,
    path: /^(answer|status)$/,
    ours: /^("error -32602"|400)$/,
    theirs: /^("error -32601"|200)$/,
  },
  {
    why: "A version header with an unknown revision is rejected before the body is read.",
    era: "legacy",
    oddity: /^version unknown$/,
    path: /^(answer|id)$/,
    ours: /^("error -32600"|"none")$/,
    theirs: /^("error -32602"|"the request's")$/,
  },
  {
    why: "An optional argument has no `required: false`, which is the default.",
    path: /^result\.prompts\.0\.arguments\.2\.required$/,
    ours: /^undefined$/,
    theirs: /^false$/,
  },
  {
    why: "The text is the JSON of `structuredContent`, which must be an object in legacy revisions.",
    era: "legacy",
    path: /^result\.content\.0\.text$/,
    ours: /^"\{\\"result\\":/,
    theirs: /^"\[/,
  },
  {
    why: "Tenon completes from literal unions and functions; the hand-made server registers no completion.",
    era: "modern",
    oddity: /^lifecycle$/,
    path: /^result\.capabilities\.completions$/,
    ours: /^\{\}$/,
    theirs: /^undefined$/,
  },
  {
    why: "Lists that cannot change while the server runs are not announced as if they could.",
    era: "modern",
    oddity: /^lifecycle$/,
    path: /^result\.capabilities\.(tools|prompts|resources)\.listChanged$/,
    ours: /^undefined$/,
    theirs: /^true$/,
  },
];

/** Returns the entry that explains a difference. */
export function findExplanation({ sent, path, ours, theirs }: Difference): Intended | undefined {
  return intended.find(
    (entry) =>
      (entry.era === undefined || entry.era === sent.era) &&
      (entry.oddity === undefined || entry.oddity.test(sent.oddity)) &&
      entry.path.test(path) &&
      entry.ours.test(JSON.stringify(ours) ?? "undefined") &&
      entry.theirs.test(JSON.stringify(theirs) ?? "undefined"),
  );
}
