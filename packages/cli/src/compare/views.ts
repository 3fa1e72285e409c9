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
 * Compares the views of two servers. Clients keep the URIs of views in old conversations, so removing a view breaks
 * these conversations.
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
  const [earlier, current] = [getMetadata(before), getMetadata(after)];
  const isRebuilt = before.hash !== undefined && after.hash !== undefined && before.hash !== after.hash;
  return [
    ...compareGrants(earlier.origins, current.origins, "reach"),
    ...compareGrants(earlier.permissions, current.permissions, "request"),
    ...(earlier.domain === current.domain
      ? []
      : [
          {
            effect: "permission" as const,
            message: `has the domain ${current.domain} (before: ${earlier.domain})`,
          },
        ]),
    ...(isRebuilt ? [{ effect: "wording" as const, message: "looks or behaves differently" }] : []),
  ];
}

function compareGrants(
  earlier: readonly string[],
  current: readonly string[],
  verb: string,
): ContractChange[] {
  return [
    ...findMissing(earlier, current).map((each) => ({
      effect: "permission" as const,
      message: `may now ${verb} ${each}`,
    })),
    ...findMissing(current, earlier).map((each) => ({
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
  const [earlier, current] = [before.visibility ?? BOTH, after.visibility ?? BOTH];
  const shown = after.view === undefined ? "no longer shows a view" : `now shows the view \`${after.view}\``;
  return [
    ...findMissing(current, earlier).map((party) => breaking(`can no longer be called by ${PARTIES[party]}`)),
    ...findMissing(earlier, current).map((party) => safe(`can now be called by ${PARTIES[party]}`)),
    ...(before.view === after.view ? [] : [safe(shown)]),
  ];
}

const BOTH: readonly ToolVisibility[] = ["model", "app"];
const PARTIES: Readonly<Record<ToolVisibility, string>> = { model: "models", app: "views" };
