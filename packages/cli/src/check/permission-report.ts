import type { PermissionChange, PermissionEffect } from "../compare/permissions.js";
import { formatChangeGroups, type Heading } from "../contract/change-groups.js";
import type { Sink } from "../terminal/terminal.js";
import { formatCount, wrap } from "../terminal/text-format.js";

/** The headings, most dangerous first. */
const HEADINGS: Record<PermissionEffect, Heading> = {
  opened: {
    text: (changes) => `PUBLIC ACCESS: ${formatCount(changes, "change")} to review first`,
    tone: "danger",
  },
  wider: { text: () => "More callers have access", tone: "caution" },
  different: { text: () => "Different callers have access", tone: "caution" },
  narrower: { text: () => "Fewer callers have access", tone: "plain" },
  new: { text: () => "New", tone: "plain" },
};

const NOTE =
  "`authorize`, `enabled`, and middleware are code. Only the presence of the first two is compared.";

/**
 * Formats changes to permissions for reviewers. Ends with a line break.
 *
 * @param earlier the path of the earlier manifest
 */
export function formatPermissions(changes: readonly PermissionChange[], earlier: string, sink: Sink): string {
  const { paint, columns } = sink;
  const groups = formatChangeGroups(changes, HEADINGS, sink);
  const head = `${paint.bold("Permissions")}  ${paint.dim(`compared with ${earlier}`)}`;
  const none = groups.length > 0 ? [] : ["  No permissions changed.", ""];
  return `${[head, "", ...groups, ...none, ...wrap(NOTE, columns).map((line) => paint.dim(line))].join("\n")}\n`;
}
