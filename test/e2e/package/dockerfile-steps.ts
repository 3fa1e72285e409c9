import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  dockerignore,
  DockerfileParser,
  type Copy,
  type Env,
  type Instruction,
  type Ignore,
  type JSONInstruction,
} from "../../third-party/dockerfiles.js";
import { run } from "../local-registry.js";

/** Result of a Dockerfile, with folders of this machine in place of images. */
export interface BuiltImage {
  /** The root of the last stage. */
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  labels: string[];
  /** The commands that start a container and check its health. */
  command: string[];
  health: string[];
}

interface Stage {
  root: string;
  workdir: string;
  env: Record<string, string>;
}

/**
 * Executes each line of a Dockerfile, as `docker build` would in containers: the same copies, of what .dockerignore
 * leaves, and the same commands, in folders.
 *
 * @param context the folder that is built
 * @param scratch where stages get their folders
 * @param machine environment variables that all commands have in addition
 */
export async function followDockerfile(
  context: string,
  scratch: string,
  machine: NodeJS.ProcessEnv,
): Promise<BuiltImage> {
  const file = DockerfileParser.parse(readFileSync(join(context, "Dockerfile"), "utf8"));
  const sent = sentFiles(context);
  const stages = new Map<string, Stage>();
  let stage: Stage = { root: "", workdir: "/", env: {} };
  const image: Omit<BuiltImage, keyof Stage> = { user: "root", labels: [], command: [], health: [] };
  let entrypoint: string[] = [];
  const inside = (path: string): string =>
    join(stage.root, path.startsWith("/") ? path : join(stage.workdir, path));
  for (const instruction of file.getInstructions()) {
    const args = instruction.getArguments().map((each) => each.getValue());
    switch (instruction.getKeyword()) {
      case "FROM": {
        const name = args[2] ?? "last";
        stage = { root: join(scratch, name), workdir: "/", env: {} };
        mkdirSync(stage.root, { recursive: true });
        stages.set(name, stage);
        break;
      }
      case "WORKDIR":
        stage.workdir = args[0] ?? "/";
        mkdirSync(inside("."), { recursive: true });
        break;
      case "ENV":
        for (const each of (instruction as Env).getProperties())
          stage.env[each.getName()] = each.getValue() ?? "";
        break;
      case "COPY":
        copy(instruction as Copy, stages, { context, sent, inside });
        break;
      case "RUN":
        await run("sh", ["-c", instruction.getArgumentsContent() ?? ""], inside("."), {
          ...machine,
          ...stage.env,
        });
        break;
      case "LABEL":
        image.labels.push(instruction.getArgumentsContent() ?? "");
        break;
      case "USER":
        image.user = args[0] ?? "";
        break;
      case "HEALTHCHECK":
        image.health = getWords(instruction);
        break;
      case "ENTRYPOINT":
        entrypoint = getWords(instruction);
        break;
      case "CMD":
        image.command = [...entrypoint, ...getWords(instruction)];
        break;
      case "EXPOSE":
        break;
      default:
        throw new Error(`${instruction.getKeyword()} is not understood here.`);
    }
  }
  return { ...image, ...stage };
}

interface Copying {
  context: string;
  sent: readonly string[];
  inside(path: string): string;
}

function copy(
  instruction: Copy,
  stages: ReadonlyMap<string, Stage>,
  { context, sent, inside }: Copying,
): void {
  const paths = instruction.getArguments().map((each) => each.getValue());
  const target = paths.pop() ?? "";
  const from = instruction
    .getFlags()
    .find((each) => each.getName() === "from")
    ?.getValue();
  for (const path of paths) {
    const [base, files] =
      from === undefined || from === null
        ? [context, sent.filter((each) => path === "." || each === path || each.startsWith(`${path}/`))]
        : [stages.get(from)?.root ?? "", filesIn(stages.get(from)?.root ?? "", path.slice(1))];
    if (files.length === 0) throw new Error(`COPY finds no ${path}.`);
    for (const each of files) {
      // A folder's content is copied, and a file keeps its name where the target is a folder.
      const own = path === "." ? each : each.slice(path.replace(/^\//, "").length + 1);
      const place =
        own === "" && target.endsWith("/") ? join(target, each.split("/").at(-1) ?? "") : join(target, own);
      mkdirSync(dirname(inside(place)), { recursive: true });
      cpSync(join(base, each), inside(place), { verbatimSymlinks: true });
    }
  }
}

/** Returns the files that are sent to the build: all except those that .dockerignore names. */
function sentFiles(context: string): string[] {
  // The import is a CommonJS function, which its types do not declare.
  const ignored = (dockerignore as unknown as () => Ignore)().add(
    readFileSync(join(context, ".dockerignore"), "utf8"),
  );
  return filesIn(context, "").filter((path) => !ignored.ignores(path));
}

function filesIn(base: string, path: string): string[] {
  if (!statSync(join(base, path)).isDirectory()) return [path];
  return readdirSync(join(base, path), { withFileTypes: true }).flatMap((entry) => {
    const inside = join(path, entry.name);
    return entry.isDirectory() ? filesIn(base, inside) : [inside];
  });
}

/** Returns the words of `CMD ["a", "b"]`, even after options. */
function getWords(instruction: Instruction | JSONInstruction): string[] {
  const [, json = "[]"] = /(\[.*\])\s*$/.exec(instruction.getArgumentsContent() ?? "") ?? [];
  return JSON.parse(json) as string[];
}
