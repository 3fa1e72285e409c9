import { Prompt, Resource, Tool } from "@tenon/runtime";

type Language = "en" | "fr" | "es";

const greetings: Record<Language, string> = { en: "Hello", fr: "Bonjour", es: "Hola" };

export class Greeter {
  /**
   * Greets someone.
   * @param name Who to greet
   * @param language The language to greet in
   */
  @Tool({ readOnly: true, openWorld: false })
  greet(name: string, language: Language = "en"): string {
    return `${greetings[language]}, ${name}!`;
  }

  /**
   * The greeting in each language.
   * @mimeType application/json
   */
  @Resource("greetings://all")
  all(): string {
    return JSON.stringify(greetings, null, 2);
  }

  /**
   * Writes a warm welcome.
   * @param name Name of the guest
   */
  @Prompt()
  welcome(name: string): string {
    return `Write a warm, two-sentence welcome for ${name}. Greet them with the greet tool first.`;
  }
}
