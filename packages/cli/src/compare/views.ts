import type { ToolVisibility, ViewEntry } from "@tenon/runtime/manifest";
import { breaking, type ContractChange, safe } from "./effects.js";
import { pairByName } from "./pair-by-name.js";
import { findMissing } from "./schema/scalar-keywords.js";

/** A change to a view. */
export interface ViewChange extends ContractChange {
  readonly kind: "view";
  readonly name: string;
}

type Views = Readonly<Record<string, ViewEntry>>;

/**
 * Compares the views of two servers. Clients keep the URIs of views in old conversations, so a view that is removed breaks
 * these.
 */
export function compareViews(before: Views = {}, after: Views = {}): ViewChange[] {
  const list = (views: Views): { name: string; entry: ViewEntry }[] =>
    Object.entries(views).map(([name, entry]) => ({ name, entry }));
  return pairByName(list(before), list(after), ({ name }) => name).flatMap(({ name, before, after }) =>
    compareView(before?.entry, after?.entry).map((each) => ({ ...each, kind: "view", name }) as const),
  );
}

function compareView(before: ViewEntry | undefined, after: ViewEntry | undefined): ContractChange[] {
  if (!after) return [breaking("was removed: conversations that show it cannot load it again")];
  if (!before) return [safe("is new")];
  const [was, is] = [getMetadata(before), getMetadata(after)];
  const isRebuilt = before.hash !== undefined && after.hash !== undefined && before.hash !== after.hash;
  return [
    ...compareGrants(was.origins, is.origins, "reach"),
    ...compareGrants(was.permissions, is.permissions, "request"),
    ...(was.domain === is.domain
      ? []
      : [{ effect: "permission" as const, message: `has the domain ${is.domain} (before: ${was.domain})` }]),
    ...(isRebuilt ? [{ effect: "wording" as const, message: "looks or behaves differently" }] : []),
  ];
}

function compareGrants(was: readonly string[], is: readonly string[], verb: string): ContractChange[] {
  return [
    ...findMissing(was, is).map((each) => ({
      effect: "permission" as const,
      message: `may now ${verb} ${each}`,
    })),
    ...findMissing(is, was).map((each) => ({
      effect: "permission" as const,
      message: `may no longer ${verb} ${each}`,
    })),
  ];
}

function getMetadata({ definition }: ViewEntry): {
  origins: string[];
  permissions: string[];
  domain: string;
} {
  const {
    csp = {},
    permissions = {},
    domain = "none",
  } = (definition._meta?.["ui"] ?? {}) as {
    csp?: Record<string, string[]>;
    permissions?: Record<string, object>;
    domain?: string;
  };
  const origins = Object.entries(csp).flatMap(([list, each]) => each.map((origin) => `${origin} (${list})`));
  return { origins, permissions: Object.keys(permissions), domain };
}

interface ShownTool {
  readonly view?: string | undefined;
  readonly visibility?: readonly ToolVisibility[] | undefined;
}

/** Compares who may call a tool, and the view of its results. */
export function compareVisibility(before: ShownTool, after: ShownTool): ContractChange[] {
  const [was, is] = [before.visibility ?? BOTH, after.visibility ?? BOTH];
  const shown = after.view === undefined ? "no longer shows a view" : `now shows the view \`${after.view}\``;
  return [
    ...findMissing(is, was).map((party) => breaking(`can no longer be called by ${PARTIES[party]}`)),
    ...findMissing(was, is).map((party) => safe(`can now be called by ${PARTIES[party]}`)),
    ...(before.view === after.view ? [] : [safe(shown)]),
  ];
}

const BOTH: readonly ToolVisibility[] = ["model", "app"];
const PARTIES: Readonly<Record<ToolVisibility, string>> = { model: "models", app: "views" };
