import type { Argument, Command, Option } from "commander";
import type { Suggestion, ValueSource } from "./suggestions.js";

/**
 * What may stand where the last word is being typed.
 *
 * @param program whose commands and options there are
 * @param words all behind the program's name; the last is what has been typed of a word, or empty
 * @param values what else may stand there, by command and by argument or option
 * @returns nothing where a path may stand, or anything
 */
export async function suggest(
  program: Command,
  words: readonly string[],
  values: ValueSource,
): Promise<Suggestion[]> {
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  // What stands there is somebody else's program.
  if (before.includes("--")) return [];
  const found = await candidates(program, before, current, values);
  return found.filter(({ value }) => value.startsWith(current) && value !== current);
}

async function candidates(
  program: Command,
  before: readonly string[],
  current: string,
  values: ValueSource,
): Promise<Suggestion[]> {
  const place = before.findIndex((word) => !word.startsWith("-"));
  const command = program.commands.find((each) => each.name() === before[place]);
  if (place < 0) return current.startsWith("-") ? optionsOf(program) : commandsOf(program);
  if (!command) return before[place] === "help" ? commandsOf(program) : [];
  const given = before.slice(place + 1);
  const [, name, typed] = /^(--[^=]+)=(.*)$/.exec(current) ?? [];
  if (name !== undefined && typed !== undefined) {
    const found = await valuesOf(optionNamed(command, name), command, given, values);
    return found.map(({ value, description }) => ({ value: `${name}=${value}`, description }));
  }
  if (current.startsWith("-")) return optionsOf(command);
  const last = optionNamed(command, given.at(-1) ?? "");
  if (last && (last.required || last.optional)) return valuesOf(last, command, given, values);
  const operands = operandsIn(command, given);
  const { registeredArguments } = command;
  const argument = registeredArguments[Math.min(operands.length, registeredArguments.length - 1)];
  if (argument === undefined || (operands.length >= registeredArguments.length && !argument.variadic))
    return [];
  return valuesOf(argument, command, operands, values);
}

/** The words that are neither options nor their values. */
function operandsIn(command: Command, words: readonly string[]): string[] {
  return words.filter((word, index) => {
    const option = optionNamed(command, words[index - 1] ?? "");
    const isValue = option !== undefined && (option.required || option.optional);
    return !word.startsWith("-") && !isValue;
  });
}

async function valuesOf(
  of: Argument | Option | undefined,
  command: Command,
  operands: readonly string[],
  values: ValueSource,
): Promise<Suggestion[]> {
  if (of === undefined) return [];
  if (of.argChoices) return of.argChoices.map((value) => ({ value, description: "" }));
  const name = "long" in of ? (of.long ?? "") : of.name();
  return (await values(command.name(), name, operands)) ?? [];
}

function optionNamed(command: Command, word: string): Option | undefined {
  return command.options.find(({ short, long }) => word !== "" && (word === short || word === long));
}

function optionsOf(command: Command): Suggestion[] {
  const { visibleOptions } = command.createHelp();
  return visibleOptions.call(command.createHelp(), command).flatMap(({ long, description }) => {
    return long ? [{ value: long, description }] : [];
  });
}

function commandsOf(program: Command): Suggestion[] {
  const help = program.createHelp();
  return help.visibleCommands(program).map((command) => {
    return { value: command.name(), description: help.subcommandDescription(command) };
  });
}
