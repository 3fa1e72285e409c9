import { Prompt, Resource, Tool, type Principal } from "@tenon/runtime";

export class Files {
  /** Lists files: as before, in other words. */
  @Tool({ scopes: ["files:read"], readOnly: true })
  list(): string[] {
    return [];
  }

  /** Writes a file: needs less. */
  @Tool({ scopes: ["files:write"] })
  write(path: string): string {
    return path;
  }

  /** Moves a file: needs more. */
  @Tool({ scopes: ["files:write", "audit"] })
  move(from: string, to: string): string {
    return from + to;
  }

  /** Copies a file: needs what implies what it needed. */
  @Tool({ scopes: ["files:write"] })
  copy(from: string, to: string): string {
    return from + to;
  }

  /** Shares a file: needs something else. */
  @Tool({ scopes: ["audit"] })
  share(path: string): string {
    return path;
  }

  /** Deletes files: for anybody. */
  @Tool({ destructive: true })
  purge(): void {}

  /** Empties the bin: and says now what that does. */
  @Tool({ destructive: true })
  empty(): void {}

  /** Counts files: needs something. */
  @Tool({ scopes: ["files:read"] })
  count(): number {
    return 1;
  }

  /** Says who is there: to anybody. */
  @Tool()
  who(): string {
    return "";
  }

  /** Says what time it is: to whoever was granted to. */
  @Tool({ scopes: ["files:read"] })
  when(): string {
    return "";
  }

  /** Drops everything: new. */
  @Tool({ destructive: true })
  drop(): void {}

  /** Locks a file: new. */
  @Tool({ scopes: ["files:write"], authorize: (user?: Principal) => user?.subject === "ada" })
  lock(path: string): string {
    return path;
  }

  /** Says the day: new. */
  @Tool()
  day(): string {
    return "";
  }

  /** A file: for anybody. */
  @Resource("file:///{name}")
  read(name: string): string {
    return name;
  }

  /** Sums up: for some. */
  @Prompt({ authorize: (user?: Principal) => user !== undefined })
  summary(): string {
    return "Sum up.";
  }
}
