import type { Argument, Command, Option } from "commander";
import type { Suggestion, ValueSource } from "./suggestions.js";

/**
 * Suggests completions for the last argument.
 *
 * @param program the program with its commands and options
 * @param args the arguments of the program; the last one is incomplete or empty
 * @param values returns the possible values of an argument or option of a command
 * @returns the completions; an empty list if any value may follow, such as a path
 */
export async function suggest(
  program: Command,
  args: readonly string[],
  values: ValueSource,
): Promise<Suggestion[]> {
  const current = args.at(-1) ?? "";
  const before = args.slice(0, -1);
  // This argument belongs to the command that starts a server.
  if (before.includes("--")) return [];
  const found = await findCandidates(program, before, current, values);
  return found.filter(({ value }) => value.startsWith(current) && value !== current);
}

async function findCandidates(
  program: Command,
  before: readonly string[],
  current: string,
  values: ValueSource,
): Promise<Suggestion[]> {
  const commandIndex = before.findIndex((arg) => !arg.startsWith("-"));
  const command = program.commands.find((each) => each.name() === before[commandIndex]);
  if (commandIndex < 0) return current.startsWith("-") ? suggestOptions(program) : suggestCommands(program);
  if (!command) return before[commandIndex] === "help" ? suggestCommands(program) : [];
  const preceding = before.slice(commandIndex + 1);
  const [, name, typed] = /^(--[^=]+)=(.*)$/.exec(current) ?? [];
  if (name !== undefined && typed !== undefined) {
    const found = await suggestValues(findOption(command, name), command, preceding, values);
    return found.map(({ value, description }) => ({ value: `${name}=${value}`, description }));
  }
  if (current.startsWith("-")) return suggestOptions(command);
  const last = findOption(command, preceding.at(-1) ?? "");
  if (last && (last.required || last.optional)) return suggestValues(last, command, preceding, values);
  const operands = filterOperands(command, preceding);
  const { registeredArguments } = command;
  const argument = registeredArguments[Math.min(operands.length, registeredArguments.length - 1)];
  if (argument === undefined || (operands.length >= registeredArguments.length && !argument.variadic))
    return [];
  return suggestValues(argument, command, operands, values);
}

/** Returns the arguments that are neither options nor their values. */
function filterOperands(command: Command, args: readonly string[]): string[] {
  return args.filter((arg, index) => {
    const option = findOption(command, args[index - 1] ?? "");
    const isValue = option !== undefined && (option.required || option.optional);
    return !arg.startsWith("-") && !isValue;
  });
}

async function suggestValues(
  parameter: Argument | Option | undefined,
  command: Command,
  operands: readonly string[],
  values: ValueSource,
): Promise<Suggestion[]> {
  if (parameter === undefined) return [];
  if (parameter.argChoices) return parameter.argChoices.map((value) => ({ value, description: "" }));
  const name = "long" in parameter ? (parameter.long ?? "") : parameter.name();
  return (await values(command.name(), name, operands)) ?? [];
}

function findOption(command: Command, arg: string): Option | undefined {
  return command.options.find(({ short, long }) => arg !== "" && (arg === short || arg === long));
}

function suggestOptions(command: Command): Suggestion[] {
  const { visibleOptions } = command.createHelp();
  return visibleOptions.call(command.createHelp(), command).flatMap(({ long, description }) => {
    return long ? [{ value: long, description }] : [];
  });
}

function suggestCommands(program: Command): Suggestion[] {
  const help = program.createHelp();
  return help.visibleCommands(program).map((command) => {
    return { value: command.name(), description: help.subcommandDescription(command) };
  });
}
