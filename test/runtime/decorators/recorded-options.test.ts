import { Prompt, Resource, Tool } from "@tenon/runtime";
import { expect, test } from "vitest";
// Internal: what decorators record is read before there is a server.
import { getRecordedOptions } from "../../../packages/runtime/src/api/recorded-options.js";

const no = () => false;
const tool = { kind: "tool" } as const;

test("options of a class do not apply to its methods", () => {
  @Tool({ enabled: no })
  class Add {
    call(): void {}
    other(): void {}
  }
  expect(getRecordedOptions(tool, new Add(), undefined)).toEqual({ enabled: no });
  expect(getRecordedOptions(tool, new Add(), "call")).toBeUndefined();
  expect(getRecordedOptions(tool, new Add(), "other")).toBeUndefined();
});

test("decorators of one method keep their options separate", () => {
  const list = () => [];
  class Notes {
    @Tool({ enabled: no })
    @Prompt({ title: "Prompt" })
    @Resource("note://{id}", { list })
    @Resource("old-note://{id}", { enabled: no })
    note(): string {
      return "";
    }
  }
  const of = (kind: "tool" | "prompt" | "resource", uri?: string) =>
    getRecordedOptions({ kind, uri }, new Notes(), "note");
  expect(of("tool")).toEqual({ enabled: no });
  expect(of("prompt")).toEqual({ title: "Prompt" });
  expect(of("resource", "note://{id}")).toEqual({ list });
  expect(of("resource", "old-note://{id}")).toEqual({ enabled: no });
  expect(of("resource", "other://{id}")).toBeUndefined();
});

test("an override inherits the options of its base unless it is decorated itself", () => {
  class Base {
    @Tool({ title: "Base" })
    kept(): void {}

    @Tool({ title: "Base" })
    replaced(): void {}
  }
  class Derived extends Base {
    override kept(): void {}

    @Tool({ title: "Derived" })
    override replaced(): void {}
  }
  expect(getRecordedOptions(tool, new Derived(), "kept")).toEqual({ title: "Base" });
  expect(getRecordedOptions(tool, new Derived(), "replaced")).toEqual({ title: "Derived" });
  expect(getRecordedOptions(tool, new Base(), "replaced")).toEqual({ title: "Base" });
});
