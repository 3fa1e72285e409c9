import { signal, type ReadonlySignal } from "@preact/signals";
import { changesBetween, NO_CHANGES, type Changes } from "./changes.js";
import type { Conversation } from "./conversations.js";
import { NO_LISTS, type Lists } from "./entries.js";
import { readLists } from "./read-lists.js";

/** What the server lists, as it was read last. */
export interface ServedLists {
  readonly lists: ReadonlySignal<Lists>;
  /** By the last edit, or by the server itself since. */
  readonly changes: ReadonlySignal<Changes>;
  /**
   * Reads all lists again: once more afterwards, where they have changed meanwhile.
   *
   * @returns whether they are shown now: not those of a conversation that was left for another meanwhile
   * @throws Error when the server does not list them
   */
  read(conversation: Conversation): Promise<boolean>;
}

/** How far the reading of one conversation is. */
interface Reading {
  /** Its lists have been read. */
  isListed: boolean;
  /** Its lists are to be read again. */
  isStale: boolean;
  /** Its lists are being read. */
  going: Promise<boolean> | undefined;
}

/** @param isCurrent whether what a conversation lists is to be shown */
export function createServedLists(isCurrent: (conversation: Conversation) => boolean): ServedLists {
  const lists = signal<Lists>(NO_LISTS);
  const changes = signal<Changes>(NO_CHANGES);
  const readings = new WeakMap<Conversation, Reading>();
  let listedBuild = 0;

  const keepReading = async (conversation: Conversation, reading: Reading): Promise<boolean> => {
    const client = await conversation.client;
    while (reading.isStale) {
      reading.isStale = false;
      const found = await readLists(client);
      if (!isCurrent(conversation)) return false;
      const next = listedBuild === 0 ? NO_CHANGES : changesBetween(lists.value, found);
      // Who connects in another way has changed nothing.
      if (conversation.build > listedBuild || (reading.isListed && next.summary !== "")) changes.value = next;
      reading.isListed = true;
      listedBuild = conversation.build;
      lists.value = found;
    }
    return true;
  };

  return {
    lists,
    changes,
    read(conversation) {
      const reading = readings.get(conversation) ?? { isListed: false, isStale: true, going: undefined };
      readings.set(conversation, reading);
      reading.isStale = true;
      reading.going ??= keepReading(conversation, reading).finally(() => {
        reading.going = undefined;
      });
      return reading.going;
    },
  };
}
