import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { connect, type TestClient } from "@tenon/runtime/testing";
import type { BrokenEntry, PageEvent, SourceLines, TaskTools } from "../../src/playground/page-messages.js";
import { openLink } from "../connection/link.js";
import { relayedServer } from "../connection/relayed-server.js";
import { createCallHistory, type Caller } from "./call-history.js";
import type { Call, LogLine } from "./calls.js";
import { changesBetween, NO_CHANGES, type Changes } from "./changes.js";
import { entriesOf, NO_LISTS, unlistedEntry, type Entry, type Lists } from "./entries.js";
import {
  DEFAULT_NOTES,
  isModern,
  principalOf,
  readNotes,
  type Notes,
  type SavedCall,
  type Settings,
} from "./notes.js";
import { texts } from "./request-entry.js";
import { createQuestions, type Questions } from "./questions.js";
import { readLists } from "./read-lists.js";
import { createSubscriptions, type Subscriptions } from "./subscriptions.js";
import { createTimeline, type Timeline } from "./timeline.js";

export interface Status {
  project: string;
  /** `away`: `tenon dev` itself cannot be reached. */
  state: "connecting" | "serving" | "away";
  /** How many versions of the server there have been. */
  build: number;
  /** Why the last edit is not served. */
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

interface Conversation extends Caller {
  build: number;
  /** Its lists have been read. */
  isListed: boolean;
  /** Its lists are being read. */
  isReading: boolean;
  /** Its lists are to be read again. */
  isStale: boolean;
  /** The parameters of what the server has asked, by the id of its request. */
  asked: Map<unknown, unknown>;
  receive(text: string): void;
  /** Calls that are going on. */
  busy: number;
}

const CLIENT_INFO = { name: "tenon-playground", version: "1.0.0" };
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
  const lists = signal<Lists>(NO_LISTS);
  const changes = signal<Changes>(NO_CHANGES);
  let listedBuild = 0;
  const lines = signal<SourceLines>(NO_LINES);
  const visited = signal<readonly Entry[]>([]);
  const taskTools = signal<TaskTools>({});
  const notes = signal<Notes>(DEFAULT_NOTES);
  const timeline = createTimeline(() => performance.now());
  const subscriptions = createSubscriptions();
  const conversations = new Map<number, Conversation>();
  let current: Conversation | undefined;
  let opened = 0;

  const questions = createQuestions(
    () => notes.value.settings.roots.map((uri) => ({ uri })),
    (answer) => history.changeLatest(({ answers }) => ({ answers: [...answers, answer] })),
  );
  const history = createCallHistory(questions, () => performance.now());

  const takeMessage = (message: Record<string, unknown>, conversation: number, build: number): void => {
    timeline.add("received", message, conversation, build);
    const { method, params } = message;
    if (method === "notifications/cancelled") {
      const { requestId } = params as { requestId?: unknown };
      questions.withdrawOne(conversations.get(conversation)?.asked.get(requestId));
    } else if (method === "notifications/message") {
      history.addLog(params as LogLine);
    } else if (conversation === current?.number && typeof method === "string") {
      subscriptions.take(method, params as Record<string, unknown>);
      if (method.endsWith("/list_changed")) refresh();
    }
  };

  const open = (): void => {
    const { settings } = notes.value;
    const previous = current;
    const number = (opened += 1);
    const { build } = status.value;
    const { server, receive } = relayedServer(
      link,
      number,
      (message) => timeline.add("sent", message, number, build),
      (message) => takeMessage(message, number, build),
    );
    const asked: Conversation["asked"] = new Map();
    const principal = principalOf(settings);
    const client = connect(server, {
      revision: settings.revision,
      ...(principal !== undefined && { principal }),
      answers: questions.answersFor(number),
      clientInfo: CLIENT_INFO,
      logLevel: "debug",
      onMessage: ({ id, method, params }) => void (method !== undefined && asked.set(id, params)),
    });
    current = {
      number,
      build,
      client,
      receive,
      isListed: false,
      isReading: false,
      isStale: false,
      asked,
      busy: 0,
    };
    conversations.set(number, current);
    subscriptions.stop();
    if (previous) closeIfIdle(previous);
    const own = current;
    void client.then(
      (each) => {
        if (own !== current) return;
        subscriptions.follow(each);
        refresh();
      },
      (error: unknown) => {
        if (own === current) status.value = { ...status.value, problem: wordsOf(error) };
      },
    );
  };

  /** What answers a conversation is gone. */
  const drop = (conversation: Conversation): void => {
    const { number, client } = conversation;
    const isAsking = questions.open.value.some(({ connection }) => connection === number);
    if (!isAsking) conversation.ended = "The server has ended before it answered.";
    conversations.delete(number);
    questions.withdraw(number);
    timeline.forget(number);
    void client.then((each) => each.close()).catch(() => undefined);
  };

  const dropAll = (): void => {
    subscriptions.stop();
    for (const conversation of conversations.values()) drop(conversation);
    current = undefined;
  };

  const closeIfIdle = (conversation: Conversation): void => {
    if (conversation === current || conversation.busy > 0) return;
    drop(conversation);
  };

  /** Reads all lists again: once more afterwards, where they have changed meanwhile. */
  const refresh = (): void => {
    const conversation = current;
    if (!conversation) return;
    conversation.isStale = true;
    if (conversation.isReading) return;
    conversation.isReading = true;
    void keepReading(conversation)
      .catch((error: unknown) => {
        if (conversation === current) status.value = { ...status.value, problem: wordsOf(error) };
      })
      .finally(() => {
        conversation.isReading = false;
      });
  };

  const keepReading = async (conversation: Conversation): Promise<void> => {
    const client = await conversation.client;
    while (conversation.isStale) {
      conversation.isStale = false;
      const found = await readLists(client);
      if (conversation !== current) return;
      const next = listedBuild === 0 ? NO_CHANGES : changesBetween(lists.value, found);
      // Who connects in another way has changed nothing.
      if (conversation.build > listedBuild || (conversation.isListed && next.summary !== ""))
        changes.value = next;
      conversation.isListed = true;
      listedBuild = conversation.build;
      lists.value = found;
      status.value = { ...status.value, state: "serving", server: client.server };
    }
  };

  const take = (event: PageEvent | undefined): void => {
    if (!event) {
      dropAll();
      status.value = { ...status.value, state: "away" };
      return;
    }
    if (event.type === "welcome") {
      dropAll();
      notes.value = readNotes(event.notes);
      status.value = { ...status.value, project: event.project, state: "connecting", problem: undefined };
    } else if (event.type === "served") {
      lines.value = event.lines;
      taskTools.value = event.tasks;
      status.value = { ...status.value, build: event.build, problem: undefined, broken: event.broken };
      open();
    } else if (event.type === "refused") {
      status.value = { ...status.value, problem: event.problem, broken: event.broken };
    } else if (event.type === "message") {
      conversations.get(event.connection)?.receive(event.text);
    } else {
      const gone = conversations.get(event.connection);
      if (!gone) return;
      drop(gone);
      if (gone !== current) return;
      // It is started again, or after the next edit.
      current = undefined;
      subscriptions.stop();
      status.value = { ...status.value, state: "connecting" };
    }
  };
  const link = openLink(take);

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
      const conversation = current;
      if (!conversation) return;
      const support = entry.kind === "tool" ? tasks.value[entry.key] : undefined;
      const { settings } = notes.value;
      conversation.busy += 1;
      void history
        .make(conversation, entry, {
          args,
          settings,
          build: conversation.build,
          wantsTask: support === "required" || (support === "optional" && wantsTask),
        })
        .finally(() => {
          conversation.busy -= 1;
          closeIfIdle(conversation);
        });
    },
    cancel: history.cancel,
    async complete({ kind, key }, name, value, others) {
      const client = await current?.client;
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
      if (current) open();
    },
    setSaved: (saved) => keep({ ...notes.value, saved }),
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
