/**
 * Notifications of updated resources that clients may not read, or that do not exist.
 */
import { createNotifier, type Notifier, Resource } from "@tenon/runtime";
import { createServer } from "@tenon/runtime/server";
import { connect } from "@tenon/runtime/testing";
import { describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.js";
import { createFixture } from "./fixture/application.js";
import { Prompts, Resources, Tools } from "./fixture/src/handlers.js";

const GUARDED = "data://table";
const OPEN = "notes://today";

/** Serves resources, one of which is disabled while `isEnabled` is false. */
function serve(): { server: ReturnType<typeof createServer>; notifier: Notifier; state: State } {
  const state: State = { isEnabled: () => true, warnings: [] };
  class Guarded extends Resources {}
  const { table } = Guarded.prototype;
  Object.defineProperty(Guarded.prototype, "table", { value: table, configurable: true });
  const decorate = Resource(GUARDED, { enabled: () => state.isEnabled() }) as PropertyDecorator;
  decorate(Guarded.prototype, "table");
  const notifier = createNotifier();
  const provide = [new Tools(), new Prompts(), new Guarded()];
  const log = ({ msg }: { msg: string }): void => void state.warnings.push(msg);
  const server = createServer(createFixture({ provide, notifier, log }), { changeIntervalMs: 0 });
  return { server, notifier, state };
}

interface State {
  isEnabled: () => boolean;
  warnings: string[];
}

describe.each(["2025-11-25", "2026-07-28"])("a subscriber at %s", (revision) => {
  test("is not notified of a resource while it may not read it", async () => {
    const { server, notifier, state } = serve();
    const client = await connect(server, { revision });
    const listUpdates = (): unknown[] =>
      client.notifications
        .filter(({ method }) => method === "notifications/resources/updated")
        .map(({ params }) => params["uri"]);
    if (revision === "2025-11-25") {
      for (const uri of [GUARDED, OPEN]) await client.request("resources/subscribe", { uri });
    } else {
      const notifications = { resourceSubscriptions: [GUARDED, OPEN] };
      void client.request("subscriptions/listen", { notifications });
      await eventually(() => expect(client.notifications).toHaveLength(1));
    }
    const update = async (uri: string, expected: string[]): Promise<void> => {
      notifier.resourceUpdated(uri);
      notifier.resourceUpdated(OPEN);
      await eventually(() => expect(listUpdates().slice(-expected.length)).toEqual(expected));
    };
    await update(GUARDED, [GUARDED, OPEN]);
    state.isEnabled = () => false;
    await update(GUARDED, [GUARDED, OPEN, OPEN]);
    state.isEnabled = () => {
      throw new Error("The database is gone.");
    };
    await update(GUARDED, [GUARDED, OPEN, OPEN, OPEN]);
    state.isEnabled = () => true;
    await update(GUARDED, [GUARDED, OPEN, OPEN, OPEN, GUARDED, OPEN]);
  });
});

test("the first change of a list that never changes is reported", () => {
  const { notifier, state } = serve();
  for (let index = 0; index < 2; index++) {
    notifier.promptsChanged();
    notifier.resourcesChanged();
  }
  expect(state.warnings).toEqual([
    "promptsChanged() has no effect, because the list of prompts never changes: none has the option `enabled`.",
  ]);
});

test("the first update of a URI that the server does not serve is reported", () => {
  const { notifier, state } = serve();
  for (const uri of [OPEN, "note://7", "notes://todya", "nothing://x"]) notifier.resourceUpdated(uri);
  expect(state.warnings).toEqual([
    'resourceUpdated("notes://todya") has no effect, because the server has no such resource. Did you mean "notes://today"?',
  ]);
});
