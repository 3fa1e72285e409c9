import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { TestClient } from "@tenon/runtime/testing";
import type { BrokenEntry, PageEvent, SourceLines, TaskTools } from "../../src/playground/page-messages.js";
import { openLink } from "../connection/link.js";
import { createCallHistory } from "./call-history.js";
import type { Call, LogLine } from "./calls.js";
import type { Changes } from "./changes.js";
import { createConversations, type Conversation } from "./conversations.js";
import { entriesOf, unlistedEntry, type Entry } from "./entries.js";
import { DEFAULT_NOTES, isModern, readNotes, type Notes, type SavedCall, type Settings } from "./notes.js";
import { texts } from "./request-entry.js";
import { createQuestions, type Questions } from "./questions.js";
import { createServedLists } from "./served-lists.js";
import { createSubscriptions, type Subscriptions } from "./subscriptions.js";
import { createTimeline, type Timeline } from "./timeline.js";

export interface Status {
  project: string;
  /** `away`: `tenon dev` itself cannot be reached. */
  state: "connecting" | "serving" | "away";
  /** How many versions of the server there have been. */
  build: number;
  /** Why the last edit is not served, or nothing is. */
  problem: string | undefined;
  /** What is answered with the errors of its source. */
  broken: readonly BrokenEntry[];
  server: TestClient["server"] | undefined;
}

/** Everything that the page shows, and all that can be done on it. */
export interface Playground {
  readonly status: ReadonlySignal<Status>;
  readonly entries: ReadonlySignal<readonly Entry[]>;
  /** By the last edit, or by the server itself since. */
  readonly changes: ReadonlySignal<Changes>;
  readonly calls: ReadonlySignal<readonly Call[]>;
  readonly notes: ReadonlySignal<Notes>;
  readonly timeline: Timeline;
  readonly questions: Questions;
  readonly subscriptions: Subscriptions;
  /** Has an entry for a resource that is in no list, but that something has linked to. */
  visit(uri: string): Entry;
  /** Which tools can be tasks, of the server as it is connected to now. */
  readonly tasks: ReadonlySignal<TaskTools>;
  /** Calls a tool, gets a prompt or reads a resource. @param wantsTask where the tool leaves that to the client */
  call(entry: Entry, args: Record<string, unknown>, wantsTask?: boolean): void;
  cancel(call: Call): void;
  /** Suggestions for an argument of a prompt or a variable of a template. */
  complete(entry: Entry, name: string, value: string, others: Record<string, unknown>): Promise<string[]>;
  /** Connects in another way from now on. */
  setSettings(settings: Settings): void;
  setSaved(saved: readonly SavedCall[]): void;
}

const NO_LINES: SourceLines = { tools: {}, prompts: {}, resources: {} };

export function createPlayground(): Playground {
  const status = signal<Status>({
    project: "",
    state: "connecting",
    build: 0,
    problem: undefined,
    broken: [],
    server: undefined,
  });
  const lines = signal<SourceLines>(NO_LINES);
  const visited = signal<readonly Entry[]>([]);
  const taskTools = signal<TaskTools>({});
  const notes = signal<Notes>(DEFAULT_NOTES);
  const timeline = createTimeline(() => performance.now());
  const subscriptions = createSubscriptions();

  const set = (change: Partial<Status>): void => {
    status.value = { ...status.value, ...change };
  };
  const take = (event: PageEvent | undefined): void => {
    if (!event) {
      endAll();
      set({ state: "away" });
    } else if (event.type === "welcome") {
      endAll();
      notes.value = readNotes(event.notes);
      set({ project: event.project, state: "connecting", problem: undefined });
    } else if (event.type === "served") {
      lines.value = event.lines;
      taskTools.value = event.tasks;
      set({ build: event.build, problem: undefined, broken: event.broken });
      open();
    } else if (event.type === "refused") {
      set({ problem: event.problem, broken: event.broken });
    } else if (event.type === "message") {
      conversations.receive(event.connection, event.text, event.about);
    } else {
      conversations.end(event.connection);
      if (conversations.current) return;
      // It is started again, or after the next edit.
      subscriptions.stop();
      set({ state: "connecting" });
    }
  };
  const link = openLink(take);

  const questions = createQuestions(
    () => notes.value.settings.roots.map((uri) => ({ uri })),
    (answer, call) => history.addAnswer(call, answer),
  );
  const history = createCallHistory(questions, () => performance.now());
  const conversations = createConversations(
    link,
    questions,
    timeline,
    (conversation, method, params, call) => {
      if (method === "notifications/message") {
        history.addLog(call, params as unknown as LogLine);
      } else if (conversation === conversations.current) {
        subscriptions.take(method, params);
        if (method.endsWith("/list_changed")) void read(conversation);
      }
    },
  );
  const { lists, changes, ...served } = createServedLists((each) => each === conversations.current);

  const open = (): void => {
    const conversation = conversations.open(notes.value.settings, status.value.build);
    subscriptions.stop();
    void read(conversation, true);
  };

  /** @param isNew nothing that the server tells of by itself is followed yet */
  const read = async (conversation: Conversation, isNew = false): Promise<void> => {
    try {
      const client = await conversation.client;
      if (conversation !== conversations.current) return;
      if (isNew) subscriptions.follow(client);
      if (await served.read(conversation)) set({ state: "serving", server: client.server });
    } catch (error) {
      if (conversation === conversations.current) set({ problem: wordsOf(error) });
    }
  };

  const endAll = (): void => {
    subscriptions.stop();
    conversations.endAll();
  };

  // Clients of older revisions wait for any tool.
  const tasks = computed(() => (isModern(notes.value.settings.revision) ? taskTools.value : {}));

  const keep = (next: Notes): void => {
    notes.value = next;
    link.send({ type: "keep", notes: next });
  };

  return {
    status,
    entries: computed(() => [...entriesOf(lists.value, lines.value), ...visited.value]),
    changes,
    calls: history.all,
    tasks,
    notes,
    timeline,
    questions,
    subscriptions,
    visit(uri) {
      const entry = unlistedEntry(uri);
      visited.value = [...visited.value.filter(({ key }) => key !== uri), entry];
      return entry;
    },
    call(entry, args, wantsTask = true) {
      const { current } = conversations;
      if (!current) return;
      const support = entry.kind === "tool" ? tasks.value[entry.key] : undefined;
      const call = history.make(current, entry, {
        args,
        settings: notes.value.settings,
        build: current.build,
        wantsTask: support === "required" || (support === "optional" && wantsTask),
      });
      conversations.keep(current, call);
    },
    cancel: history.cancel,
    async complete({ kind, key }, name, value, others) {
      const client = await conversations.current?.client;
      if (!client?.server.capabilities.completions) return [];
      const ref =
        kind === "prompt"
          ? ({ type: "ref/prompt", name: key } as const)
          : ({ type: "ref/resource", uri: key } as const);
      const { values } = await client.complete(ref, { name, value }, texts(others));
      return values;
    },
    setSettings(settings) {
      keep({ ...notes.value, settings });
      if (conversations.current) open();
    },
    setSaved: (saved) => keep({ ...notes.value, saved }),
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
