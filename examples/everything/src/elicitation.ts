import { Tool, UrlElicitationRequiredError, type Context, type ElicitResult } from "@tenon/runtime";

interface Account {
  /** User's response */
  username: string;
  /** User's email address */
  email: string;
}

interface Profile {
  /**
   * User name
   * @default "John Doe"
   */
  name?: string;
  /**
   * User age
   * @integer
   * @default 30
   */
  age?: number;
  /**
   * User score
   * @default 95.5
   */
  score?: number;
  /**
   * User status
   * @default "active"
   */
  status?: "active" | "inactive" | "pending";
  /**
   * Verification status
   * @default true
   */
  verified?: boolean;
}

enum Single {
  /** First Option */
  First = "value1",
  /** Second Option */
  Second = "value2",
  /** Third Option */
  Third = "value3",
}

enum Multiple {
  /** First Choice */
  First = "value1",
  /** Second Choice */
  Second = "value2",
  /** Third Choice */
  Third = "value3",
}

type Plain = "option1" | "option2" | "option3";

interface Choices {
  untitledSingle?: Plain;
  titledSingle?: Single;
  /** @enumNames Option One, Option Two, Option Three */
  legacyEnum?: "opt1" | "opt2" | "opt3";
  /**
   * @minItems 1
   * @maxItems 3
   */
  untitledMulti?: Plain[];
  /**
   * @minItems 1
   * @maxItems 3
   */
  titledMulti?: Multiple[];
}

/** Questions to the user: forms derived from types, and URLs to open. */
export class ElicitationTools {
  /**
   * Asks the user for an account.
   * @param message The message for the user
   */
  @Tool({ readOnly: true, openWorld: false, name: "test_elicitation" })
  async account(message: string, ctx: Context): Promise<string> {
    const answer = await ctx.elicit<Account>(message);
    return `User response: ${describeAnswer(answer)}`;
  }

  /** Asks with a form whose fields all have defaults. */
  @Tool({ readOnly: true, openWorld: false, name: "test_elicitation_sep1034_defaults" })
  async defaults(ctx: Context): Promise<string> {
    const answer = await ctx.elicit<Profile>("Please review your profile.");
    return `Elicitation completed: ${describeAnswer(answer)}`;
  }

  /** Asks with a form that has every kind of choice. */
  @Tool({ readOnly: true, openWorld: false, name: "test_elicitation_sep1330_enums" })
  async choices(ctx: Context): Promise<string> {
    const answer = await ctx.elicit<Choices>("Please choose.");
    return `Elicitation completed: ${describeAnswer(answer)}`;
  }

  /** Asks the user to open a URL. */
  @Tool({ readOnly: true, openWorld: true, name: "test_elicitation_url" })
  async url(ctx: Context): Promise<string> {
    const answer = await ctx.elicitUrl("Please connect your account.", "https://example.com/connect");
    if (answer.action === "accept") answer.complete();
    return `The user said ${answer.action}.`;
  }

  /** Requires the user to visit a URL first. */
  @Tool({ readOnly: true, openWorld: true, name: "test_url_required" })
  urlRequired(): string {
    throw new UrlElicitationRequiredError([
      { message: "Please connect your account.", url: "https://example.com/connect" },
    ]);
  }

  /** Asks for a confirmation. */
  @Tool({ readOnly: true, openWorld: false, name: "test_streaming_elicitation" })
  async confirm(ctx: Context): Promise<string> {
    const answer = await ctx.elicit<{ ok: boolean }>("Please confirm.");
    return `The user said ${answer.action}.`;
  }
}

function describeAnswer(answer: ElicitResult<object>): string {
  const content = answer.action === "accept" ? answer.content : {};
  return `action=${answer.action}, content=${JSON.stringify(content)}`;
}
