import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { TestClient } from "@tenon/runtime/testing";
import type { FailedEntry, PageEvent, SourceLines, TaskTools } from "../../src/playground/page-messages.js";
import { openLink } from "../connection/link.js";
import { createCallHistory } from "./call-history.js";
import type { Call, LogLine } from "./calls.js";
import type { Changes } from "./changes.js";
import { createConversations, type Conversation } from "./conversations.js";
import { toEntries, createUnlistedEntry, type Entry } from "./entries.js";
import { DEFAULT_NOTES, isModern, readNotes, type Notes, type SavedCall, type Settings } from "./notes.js";
import { toStrings } from "./request-entry.js";
import { createQuestions, type Questions } from "./questions.js";
import { createServedLists } from "./served-lists.js";
import { createSubscriptions, type Subscriptions } from "./subscriptions.js";
import { createTimeline, type Timeline } from "./timeline.js";
import { errorMessage } from "./error-message.js";

export interface Status {
  project: string;
  /** The origin on which views run. */
  sandbox: string;
  /** The state of the connection. `away` means that `tenon dev` is unreachable. */
  state: "connecting" | "serving" | "away";
  /** The number of the server's version, counted from the start of `tenon dev`. */
  build: number;
  /** The reason why the last edit was not applied, or the lists cannot be read. */
  problem: string | undefined;
  /** The declarations with errors. Calls to them return the errors. */
  broken: readonly FailedEntry[];
  server: TestClient["server"] | undefined;
}

/** The state and the actions of the page. */
export interface Playground {
  readonly status: ReadonlySignal<Status>;
  readonly entries: ReadonlySignal<readonly Entry[]>;
  /** The latest changes to the lists, by an edit or by the server itself. */
  readonly changes: ReadonlySignal<Changes>;
  readonly calls: ReadonlySignal<readonly Call[]>;
  readonly notes: ReadonlySignal<Notes>;
  readonly timeline: Timeline;
  readonly questions: Questions;
  readonly subscriptions: Subscriptions;
  /** Adds an entry for a resource that is linked to but not listed. */
  visit(uri: string): Entry;
  /** The tools that can run as tasks in the current revision. */
  readonly tasks: ReadonlySignal<TaskTools>;
  /**
   * Calls an entry.
   *
   * @param wantsTask whether to declare task support if it is optional for the tool
   */
  call(entry: Entry, args: Record<string, unknown>, wantsTask?: boolean): void;
  cancel(call: Call): void;
  /** Returns suggestions for an argument of a prompt or a variable of a template. */
  complete(entry: Entry, name: string, value: string, others: Record<string, unknown>): Promise<string[]>;
  /** Returns the client of the current connection, for requests of views. Undefined without a connection. */
  getClient(): Promise<TestClient> | undefined;
  /** Stores the settings, and connects again with them. */
  setSettings(settings: Settings): void;
  setSaved(saved: readonly SavedCall[]): void;
}

const NO_LINES: SourceLines = { tools: {}, prompts: {}, resources: {} };

export function createPlayground(): Playground {
  const status = signal<Status>({
    project: "",
    sandbox: "",
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
  const handleEvent = (event: PageEvent | undefined): void => {
    if (!event) {
      endAll();
      set({ state: "away" });
    } else if (event.type === "welcome") {
      endAll();
      notes.value = readNotes(event.notes);
      set({ project: event.project, sandbox: event.sandbox, state: "connecting", problem: undefined });
    } else if (event.type === "served") {
      lines.value = event.lines;
      taskTools.value = event.tasks;
      set({ build: event.build, problem: undefined, broken: event.broken });
      open();
    } else if (event.type === "edit-failed") {
      set({ problem: event.problem, broken: event.broken });
    } else if (event.type === "message") {
      conversations.receive(event.connection, event.text, event.about);
    } else {
      conversations.end(event.connection);
      if (conversations.current) return;
      // The server restarts now, or after the next edit.
      subscriptions.stop();
      set({ state: "connecting" });
    }
  };
  const link = openLink(handleEvent);

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
        subscriptions.handleNotification(method, params);
        if (method.endsWith("/list_changed")) void read(conversation);
      }
    },
  );
  const { lists, changes, ...served } = createServedLists((each) => each === conversations.current);

  const open = (): void => {
    // First, because a conversation with an open stream does not continue with the next server.
    subscriptions.stop();
    const conversation = conversations.open(notes.value.settings, status.value.build);
    void read(conversation, true);
  };

  /**
   * Reads the lists.
   *
   * @param isNew whether the client does not yet receive notifications outside calls
   */
  const read = async (conversation: Conversation, isNew = false): Promise<void> => {
    try {
      const client = await conversation.client;
      if (conversation !== conversations.current) return;
      if (isNew) subscriptions.follow(client);
      if (await served.read(conversation)) set({ state: "serving", server: client.server });
    } catch (error) {
      if (conversation === conversations.current) set({ problem: errorMessage(error) });
    }
  };

  const endAll = (): void => {
    subscriptions.stop();
    conversations.endAll();
  };

  // In older revisions, clients wait for the results of all tools.
  const tasks = computed(() => (isModern(notes.value.settings.revision) ? taskTools.value : {}));

  const store = (next: Notes): void => {
    notes.value = next;
    link.send({ type: "store", notes: next });
  };

  return {
    status,
    entries: computed(() => [...toEntries(lists.value, lines.value), ...visited.value]),
    changes,
    calls: history.all,
    tasks,
    notes,
    timeline,
    questions,
    subscriptions,
    visit(uri) {
      const entry = createUnlistedEntry(uri);
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
      const { values } = await client.complete(ref, { name, value }, toStrings(others));
      return values;
    },
    getClient: () => conversations.current?.client,
    setSettings(settings) {
      store({ ...notes.value, settings });
      if (conversations.current) open();
    },
    setSaved: (saved) => store({ ...notes.value, saved }),
  };
}
