import { Tool, ToolError } from "@tenon/runtime";

/** A question for the user. */
export interface Question {
  /**
   * The question
   * @minLength 1
   * @maxLength 200
   */
  question: string;
  /**
   * The choices, each of a few words
   * @minItems 2
   * @maxItems 8
   */
  choices: string[];
}

/** A question with its votes. */
export interface Poll {
  question: string;
  choices: { text: string; votes: number }[];
}

/** One poll at a time, in memory. */
export class Polls {
  #poll: Poll | undefined;

  /** Asks the user to choose. Clients with views show buttons; in all others, the user answers in the conversation. */
  @Tool({ destructive: false, openWorld: false, view: "./poll.view.tsx" })
  ask({ question, choices }: Question): Poll {
    this.#poll = { question, choices: choices.map((text) => ({ text, votes: 0 })) };
    return this.#poll;
  }

  /**
   * Votes for a choice. Only the view may call it.
   * @param choice The text of the choice
   */
  @Tool({ destructive: false, openWorld: false, visibility: ["app"] })
  vote(choice: string): Poll {
    const poll = this.current();
    const chosen = poll.choices.find(({ text }) => text === choice);
    if (!chosen) throw new ToolError(`There is no choice "${choice}".`);
    chosen.votes += 1;
    return poll;
  }

  /** Returns the votes so far. */
  @Tool({ name: "get_votes", readOnly: true, openWorld: false })
  current(): Poll {
    if (!this.#poll) throw new ToolError("There is no poll yet. Start one with ask.");
    return this.#poll;
  }
}
