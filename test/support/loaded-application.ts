import type { Application, Validators } from "@tenon/runtime/server";
import { compiled } from "@tenon/runtime/validation";

/** Returns an emitted application with validators that are loaded, so that its first call is answered at once like any other. */
export async function withLoadedValidators(application: Application): Promise<Application> {
  const { tools, prompts, resourceTemplates, forms = {} } = application.validators;
  const kinds = { tools, prompts, resourceTemplates, forms };
  const loaded: Validators = { tools: {}, prompts: {}, resourceTemplates: {}, forms: {} };
  for (const [kind, rows] of Object.entries(kinds) as [keyof typeof kinds, Validators["tools"]][]) {
    for (const [name, row] of Object.entries(rows)) {
      const found = "load" in row ? (await row.load()).createValidators(compiled)[kind]?.[name] : row;
      if (found !== undefined) Object.assign(loaded[kind] ?? {}, { [name]: found });
    }
  }
  return { ...application, validators: loaded };
}
