import { type Command, Option } from "commander";
import { ERAS } from "../remote/remote-flags.js";

/** Adds the options of every command that connects to a server which is running somewhere else. */
export function addRemoteOptions(command: Command): Command {
  return command
    .option("--header <line>", 'send a header, such as "Authorization: Bearer …"; may be repeated', append)
    .option("--no-browser", "print where to log in, and open no browser")
    .option("--client-id <id>", "log in as this client, where the issuer registers none by itself")
    .addOption(
      new Option("--era <era>", "speak the protocol as since 2026-07-28, or as before").choices(ERAS),
    );
}

/** The name under which help texts explain the rest. */
export const REMOTE_HELP = `
A server is named by its URL, or behind -- by the command that starts it. Where
it asks for a login, your browser opens. The login is kept in your own
configuration folder until \`tenon inspect <url> --forget\`. The secret of a
client that has one is taken from TENON_CLIENT_SECRET.`;

/** Of an option that may be repeated, all values. */
export function append(value: string, before: string[] = []): string[] {
  return [...before, value];
}
