import { signal, type ReadonlySignal } from "@preact/signals";
import { compareLists, NO_CHANGES, type Changes } from "./changes.js";
import type { Conversation } from "./conversations.js";
import { NO_LISTS, type Lists } from "./entries.js";
import { readLists } from "./read-lists.js";

/** The lists that were last read from the server. */
export interface ServedLists {
  readonly lists: ReadonlySignal<Lists>;
  /** The latest changes to the lists, by an edit or by the server itself. */
  readonly changes: ReadonlySignal<Changes>;
  /**
   * Reads all lists, and reads them again if they change meanwhile.
   *
   * @returns whether they are shown, which requires that the conversation is still the current one
   * @throws Error if the server does not list them
   */
  read(conversation: Conversation): Promise<boolean>;
}

/** The progress of reading the lists of one conversation. */
interface Reading {
  /** Whether its lists have been read. */
  isListed: boolean;
  /** Whether its lists must be read again. */
  isStale: boolean;
  /** The operation that reads the lists, while it runs. */
  pending: Promise<boolean> | undefined;
}

/**
 * Creates empty lists.
 *
 * @param isCurrent returns whether to show the lists of a conversation
 */
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
      const next = listedBuild === 0 ? NO_CHANGES : compareLists(lists.value, found);
      // Differences that result from other settings are not changes.
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
      const reading = readings.get(conversation) ?? { isListed: false, isStale: true, pending: undefined };
      readings.set(conversation, reading);
      reading.isStale = true;
      reading.pending ??= keepReading(conversation, reading).finally(() => {
        reading.pending = undefined;
      });
      return reading.pending;
    },
  };
}
