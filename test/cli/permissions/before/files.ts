import { Prompt, Resource, Tool, type Principal } from "@tenon/runtime";

export class Files {
  /** Lists files. */
  @Tool({ scopes: ["files:read"], readOnly: true })
  list(): string[] {
    return [];
  }

  /** Writes a file. */
  @Tool({ scopes: ["files:write", "audit"] })
  write(path: string): string {
    return path;
  }

  /** Moves a file. */
  @Tool({ scopes: ["files:write"] })
  move(from: string, to: string): string {
    return from + to;
  }

  /** Copies a file. */
  @Tool({ scopes: ["files:read"] })
  copy(from: string, to: string): string {
    return from + to;
  }

  /** Shares a file. */
  @Tool({ scopes: ["files:write"] })
  share(path: string): string {
    return path;
  }

  /** Deletes files. */
  @Tool({ scopes: ["files:write"], destructive: true })
  purge(): void {}

  /** Empties the bin. */
  @Tool()
  empty(): void {}

  /** Counts files. */
  @Tool()
  count(): number {
    return 1;
  }

  /** Says who is there. */
  @Tool({ authorize: (user?: Principal) => user?.subject === "ada" })
  who(): string {
    return "";
  }

  /** Says what time it is. */
  @Tool({ scopes: ["files:read"], authorize: (user?: Principal) => user?.subject === "ada" })
  when(): string {
    return "";
  }

  /** A file. */
  @Resource("file:///{name}", { scopes: ["files:read"] })
  read(name: string): string {
    return name;
  }

  /** Sums up. */
  @Prompt()
  summary(): string {
    return "Sum up.";
  }
}
