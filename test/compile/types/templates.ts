import type { Row } from "./row.js";

export const templates: Row[] = [
  {
    type: "`user-${string}`",
    schema: { type: "string", pattern: "^user-[\\s\\S]*$" },
    accepts: ["user-", "user-1", "user-a\nb"],
    rejects: ["user", "x-user-", 1],
  },
  {
    type: "`${number}px`",
    schema: {
      type: "string",
      pattern:
        "^(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)px$",
    },
    accepts: ["1px", "-1.5px", "1e3px", "007px", "0x1Fpx"],
    rejects: ["px", "apx", "1 px ", "1.2.3px"],
  },
  {
    type: "`v${number}.${number}`",
    schema: {
      type: "string",
      pattern:
        "^v(?:[+-]?\\d+(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)\\.(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$",
    },
    accepts: ["v1.2", "v1.0"],
    rejects: ["v1", "va.b"],
  },
  {
    type: "`${bigint}n`",
    schema: { type: "string", pattern: "^-?(?:0|[1-9]\\d*|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)n$" },
    accepts: ["12n", "-3n"],
    rejects: ["1.5n", "n"],
  },
  {
    type: "`is-${boolean}`",
    schema: { type: "string", enum: ["is-false", "is-true"] },
    accepts: ["is-true", "is-false"],
    rejects: ["is-", "is-yes"],
  },
  {
    type: '`${"a" | "b"}-${1 | 2}`',
    schema: { type: "string", enum: ["a-1", "a-2", "b-1", "b-2"] },
    accepts: ["a-1", "b-2"],
    rejects: ["c-1", "a-3"],
  },
  {
    type: '`${"get" | "set"}${string}`',
    schema: { type: "string", pattern: "^(?:get[\\s\\S]*|set[\\s\\S]*)$" },
    accepts: ["getName", "set"],
    rejects: ["delete"],
  },
  {
    type: "`${string}@${string}.${string}`",
    schema: { type: "string", pattern: "^[^@]*@[^.]*\\.[\\s\\S]*$" },
    accepts: ["a@b.c", "@.", "a@@b..c"],
    rejects: ["a@b", "abc", "a.b@c"],
  },
  {
    type: "`${string}.${number}`",
    schema: {
      type: "string",
      pattern:
        "^[^.]*\\.(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$",
    },
    accepts: ["a.1", ".5"],
    rejects: ["a.b.1", "1"],
  },
  {
    type: "`${number}.${number}`",
    schema: {
      type: "string",
      pattern:
        "^(?:[+-]?\\d+(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)\\.(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$",
    },
    accepts: ["1.2", "1..5", "1.2.3"],
    rejects: ["1.", "1.2.3.4", "a.1"],
  },
  {
    type: "`${number}-${number}`",
    schema: {
      type: "string",
      pattern:
        "^(?:\\+?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE]\\+?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)-(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$",
    },
    accepts: ["1-2", "1--2"],
    rejects: ["-1-2", "1e-5-2x"],
  },
  {
    type: "`${number}e${number}`",
    schema: {
      type: "string",
      pattern:
        "^(?:(?:(?!e)[+-])?(?:(?:(?!e)\\d)+(?:(?:(?!e)\\.)(?:(?!e)\\d)*)?|(?:(?!e)\\.)(?:(?!e)\\d)+)(?:(?:(?!e)[eE])(?:(?!e)[+-])?(?:(?!e)\\d)+)?|(?:(?!e)0)(?:(?!e)[xX])(?:(?!e)[\\da-fA-F])+|(?:(?!e)0)(?:(?!e)[oO])(?:(?!e)[0-7])+|(?:(?!e)0)(?:(?!e)[bB])(?:(?!e)[01])+)e(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$",
    },
    accepts: ["1e5", "2e-3"],
    rejects: ["1e", "e5", "1e5e5x"],
  },
  {
    type: "`${number}+${number}`",
    schema: {
      type: "string",
      pattern:
        "^(?:-?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE]-?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)\\+(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$",
    },
    accepts: ["1+2", "-1+2"],
    rejects: ["+1+2", "1+"],
  },
  {
    type: "`${number}. ${string}`",
    schema: {
      type: "string",
      pattern:
        "^(?:(?:(?!\\. )[+-])?(?:(?:(?!\\. )\\d)+(?:(?:(?!\\. )\\.)(?:(?!\\. )\\d)*)?|(?:(?!\\. )\\.)(?:(?!\\. )\\d)+)(?:(?:(?!\\. )[eE])(?:(?!\\. )[+-])?(?:(?!\\. )\\d)+)?|(?:(?!\\. )0)(?:(?!\\. )[xX])(?:(?!\\. )[\\da-fA-F])+|(?:(?!\\. )0)(?:(?!\\. )[oO])(?:(?!\\. )[0-7])+|(?:(?!\\. )0)(?:(?!\\. )[bB])(?:(?!\\. )[01])+)\\. [\\s\\S]*$",
    },
    accepts: ["1. a", "1.5. a"],
    rejects: ["1.a", ". a"],
  },
  {
    type: "`${string}${number}`",
    schema: {
      type: "string",
      pattern:
        "^[\\s\\S](?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$",
    },
    accepts: ["a1", "11"],
    rejects: ["1", "ab1", "a"],
  },
  {
    type: "`${number}${string}`",
    schema: { type: "string", pattern: "^\\d[\\s\\S]*$" },
    accepts: ["1a", "1", "12x"],
    rejects: ["a1", ""],
  },
  {
    type: "`${string}, ${string}!`",
    schema: { type: "string", pattern: "^(?:(?!, )[\\s\\S])*, [\\s\\S]*!$" },
    accepts: ["a, b!", ", !", "a, b, c!"],
    rejects: ["a b!", "a, b"],
  },
  {
    type: "`${string}]${string}-${string}^`",
    schema: { type: "string", pattern: "^[^\\]]*\\][^\\-]*-[\\s\\S]*\\^$" },
    accepts: ["a]b-c^"],
    rejects: ["a]b^", "]"],
  },
  {
    type: "`${Lowercase<string>}-${Uppercase<string>}`",
    schema: { type: "string", pattern: "^(?:(?!-)[^A-Z])*-[^a-z]*$" },
    exact: {
      type: "string",
      pattern: "^(?:(?!-)\\P{Changes_When_Lowercased})*-\\P{Changes_When_Uppercased}*$",
    },
    accepts: ["ab-CD", "-"],
    rejects: ["Ab-CD", "ab-Cd", "ab"],
  },
  {
    type: "`${bigint}:${bigint}`",
    schema: {
      type: "string",
      pattern:
        "^-?(?:0|[1-9]\\d*|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+):-?(?:0|[1-9]\\d*|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$",
    },
    accepts: ["1:2", "-1:0x1F"],
    rejects: ["1.5:2", "007:1"],
  },
  {
    type: "`(${string})[.*+?^$|]`",
    schema: { type: "string", pattern: "^\\([\\s\\S]*\\)\\[\\.\\*\\+\\?\\^\\$\\|\\]$" },
    accepts: ["(x)[.*+?^$|]"],
    rejects: ["(x)", "x"],
  },
  {
    type: "`#${string}` | `rgb(${number},${number},${number})`",
    schema: {
      type: "string",
      pattern:
        "^(?:#[\\s\\S]*|rgb\\((?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+),(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+),(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)\\))$",
    },
    accepts: ["#fff", "rgb(1,2,3)"],
    rejects: ["fff", "rgb(1,2)"],
  },
  {
    type: '"auto" | `${number}%`',
    schema: {
      anyOf: [
        { type: "string", enum: ["auto"] },
        {
          type: "string",
          pattern:
            "^(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?|0[xX][\\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)%$",
        },
      ],
    },
    accepts: ["auto", "50%"],
    rejects: ["none", "%"],
  },
  {
    type: "Uppercase<string>",
    schema: { type: "string", pattern: "^[^a-z]*$" },
    exact: { type: "string", pattern: "^\\P{Changes_When_Uppercased}*$" },
    accepts: ["", "ABC1", "É"],
    rejects: ["abc", "Abc", "é"],
  },
  {
    type: "Lowercase<string>",
    schema: { type: "string", pattern: "^[^A-Z]*$" },
    exact: { type: "string", pattern: "^\\P{Changes_When_Lowercased}*$" },
    accepts: ["", "abc1"],
    rejects: ["ABC"],
  },
  {
    type: "Capitalize<string>",
    schema: { type: "string", pattern: "^(?:[^a-z][\\s\\S]*)?$" },
    exact: { type: "string", pattern: "^(?:\\P{Changes_When_Uppercased}[\\s\\S]*)?$" },
    accepts: ["", "Abc", "ABC"],
    rejects: ["abc"],
  },
  {
    type: "Uncapitalize<string>",
    schema: { type: "string", pattern: "^(?:[^A-Z][\\s\\S]*)?$" },
    exact: { type: "string", pattern: "^(?:\\P{Changes_When_Lowercased}[\\s\\S]*)?$" },
    accepts: ["", "aBC"],
    rejects: ["ABC"],
  },
  {
    type: "Capitalize<`${string}Id`>",
    schema: { type: "string", pattern: "^(?:[^a-z][\\s\\S]*)?Id$" },
    exact: { type: "string", pattern: "^(?:\\P{Changes_When_Uppercased}[\\s\\S]*)?Id$" },
    accepts: ["UserId", "Id"],
    rejects: ["userId", "User"],
  },
  {
    type: "`${Uppercase<string>}_ID`",
    schema: { type: "string", pattern: "^[^a-z]*_ID$" },
    exact: { type: "string", pattern: "^\\P{Changes_When_Uppercased}*_ID$" },
    accepts: ["USER_ID"],
    rejects: ["user_ID"],
  },
  {
    type: "`${Kind}:${string}`",
    declare: 'type Kind = "a" | "b";',
    schema: { type: "string", pattern: "^(?:a:[\\s\\S]*|b:[\\s\\S]*)$" },
    accepts: ["a:1", "b:"],
    rejects: ["c:1"],
  },
  {
    type: "`${string & { __brand: 1 }}!`",
    schema: { type: "string", pattern: "^[\\s\\S]*!$" },
    accepts: ["a!"],
    rejects: ["a"],
    carried: true,
  },
  {
    type: "`/${string}/`",
    schema: { type: "string", pattern: "^\\/[\\s\\S]*\\/$" },
    accepts: ["/a/"],
    rejects: ["a"],
  },
];
