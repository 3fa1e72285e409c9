/** How often the search mode finds a tool, on the APIs of GitHub and Slack: one tool for each operation. */
import type { Manifest, ToolEntry } from "@tenon/runtime/manifest";
import { allFeatures } from "@tenon/runtime/features";
import { createServer } from "@tenon/runtime/server";
import { connect, type TestClient } from "@tenon/runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiOperation, downloadDocuments, listOperations } from "./openapi-documents.js";

const GITHUB = "github.com/api.github.com.json";
const SLACK = "slack.com.json";

/** Queries as a model might write them, with the operations that they should find. */
const QUERIES: Record<string, readonly (readonly [query: string, ...operations: string[]])[]> = {
  [GITHUB]: [
    ["open a new issue", "issues/create"],
    ["list open issues of a repository", "issues/list-for-repo"],
    ["close an issue", "issues/update"],
    ["comment on an issue", "issues/create-comment"],
    ["add a label to an issue", "issues/add-labels"],
    ["assign someone to an issue", "issues/add-assignees"],
    ["list pull requests", "pulls/list"],
    ["create a pull request", "pulls/create"],
    ["merge a pull request", "pulls/merge"],
    ["which files did a pull request change", "pulls/list-files"],
    ["request reviewers for a pull request", "pulls/request-reviewers"],
    ["approve a pull request with a review", "pulls/create-review", "pulls/submit-review"],
    ["read the content of a file", "repos/get-content"],
    ["write a file to a repository", "repos/create-or-update-file-contents"],
    ["delete a file", "repos/delete-file"],
    ["search code", "search/code"],
    ["search repositories by topic", "search/repos"],
    ["find users", "search/users"],
    ["list branches", "repos/list-branches"],
    ["rename a branch", "repos/rename-branch"],
    ["protect a branch", "repos/update-branch-protection"],
    ["list commits", "repos/list-commits"],
    ["compare two commits", "repos/compare-commits", "repos/compare-commits-with-basehead"],
    ["create a release", "repos/create-release"],
    ["latest release of a repository", "repos/get-latest-release"],
    ["fork a repository", "repos/create-fork"],
    ["star a repository", "activity/star-repo-for-authenticated-user"],
    ["create a gist", "gists/create"],
    ["run a workflow", "actions/create-workflow-dispatch"],
    ["rerun failed jobs of a workflow run", "actions/re-run-workflow-failed-jobs"],
    ["download the logs of a workflow run", "actions/download-workflow-run-logs"],
    ["set a secret of a repository", "actions/create-or-update-repo-secret"],
    ["create a webhook for a repository", "repos/create-webhook"],
    ["invite a collaborator to a repository", "repos/add-collaborator"],
    ["transfer a repository to another owner", "repos/transfer"],
    ["list members of an organization", "orgs/list-members"],
    ["add a user to a team", "teams/add-or-update-membership-for-user-in-org"],
    ["mark notifications as read", "activity/mark-notifications-as-read", "activity/mark-thread-as-read"],
    ["who am I", "users/get-authenticated"],
    ["create a milestone", "issues/create-milestone"],
  ],
  [SLACK]: [
    ["send a message to a channel", "chat_postMessage"],
    ["schedule a message", "chat_scheduleMessage"],
    ["edit a message", "chat_update"],
    ["delete a message", "chat_delete"],
    ["read the history of a channel", "conversations_history"],
    ["read the replies of a thread", "conversations_replies"],
    ["create a channel", "conversations_create"],
    ["archive a channel", "conversations_archive"],
    ["invite users to a channel", "conversations_invite"],
    ["who is in this channel", "conversations_members"],
    ["set the topic of a channel", "conversations_setTopic"],
    ["add an emoji reaction to a message", "reactions_add"],
    ["pin a message", "pins_add"],
    ["upload a file", "files_upload"],
    ["search messages", "search_messages"],
    ["remind me tomorrow", "reminders_add"],
    ["list all users of the workspace", "users_list"],
    ["find a user by email", "users_lookupByEmail"],
    ["turn on do not disturb", "dnd_setSnooze"],
    ["change my profile status", "users_profile_set"],
    ["list custom emoji", "emoji_list"],
    ["open a dialog", "dialog_open", "views_open"],
    ["create a user group", "usergroups_create"],
    ["leave a channel", "conversations_leave"],
  ],
};

let documents: ReturnType<typeof downloadDocuments>;
beforeAll(() => {
  documents = downloadDocuments([GITHUB, SLACK]);
}, 120_000);
afterAll(() => documents.remove());

interface Parameter {
  name?: string;
  description?: string;
}

function toEntry({ operationId = "", ...operation }: ApiOperation): ToolEntry {
  const {
    summary,
    description,
    parameters = [],
  } = operation as {
    summary?: string;
    description?: string;
    parameters?: Parameter[];
  };
  const named = parameters.flatMap(({ name, description: text = "" }) =>
    name === undefined ? [] : [[name, { type: "string", description: text }] as const],
  );
  return {
    definition: {
      name: operationId,
      description: [summary, description].filter(Boolean).join("\n\n"),
      inputSchema: { type: "object", properties: Object.fromEntries(named) },
    },
    handler: { module: "src/api.ts", export: "Api", method: "call", parameters: [] },
    input: {},
    output: { kind: "text" },
  };
}

class Api {
  call(): string {
    return "called";
  }
}

async function openApi(path: string, toolSearch: Manifest["toolSearch"]): Promise<TestClient> {
  const tools = listOperations(documents.read(path)).map(({ operation }) => toEntry(operation));
  const validator = { input: () => true };
  const manifest = { manifestVersion: 1 as const, server: { name: "api", version: "1.0.0" }, tools };
  const server = createServer({
    manifest: {
      ...manifest,
      prompts: [],
      resources: [],
      resourceTemplates: [],
      ...(toolSearch && { toolSearch }),
    },
    validators: {
      tools: Object.fromEntries(tools.map(({ definition }) => [definition.name, validator])),
      prompts: {},
      resourceTemplates: {},
    },
    classes: { "src/api.ts": { Api } },
    features: allFeatures,
  });
  return connect(server);
}

test.each([
  [GITHUB, 0.85],
  [SLACK, 0.85],
])("five results for %s contain the tool in at least %f of the searches", async (path, least) => {
  const client = await openApi(path, {});
  const missed: string[] = [];
  const queries = QUERIES[path] ?? [];
  for (const [query, ...operations] of queries) {
    const { structuredContent } = await client.callTool("search_tools", { query });
    const names = (structuredContent as { tools: { name: string }[] }).tools.map(({ name }) => name);
    if (!names.some((name) => operations.includes(name))) missed.push(`${query}: ${names.join(", ")}`);
  }
  const recall = 1 - missed.length / queries.length;
  console.log(`recall@5 of ${path}: ${recall.toFixed(3)}\n${missed.join("\n")}`);
  expect(recall).toBeGreaterThanOrEqual(least);
});

test("a list of 845 tools shrinks to less than one percent of its size", async () => {
  const sizes = await Promise.all(
    [undefined, {}].map(
      async (mode) => JSON.stringify(await (await openApi(GITHUB, mode)).listTools()).length,
    ),
  );
  const [whole = 0, searching = 0] = sizes;
  console.log(`tools/list of GitHub: ${whole} characters, in search mode ${searching}`);
  expect(searching).toBeLessThan(whole / 100);
});
