import type { Skill } from "@tenon/runtime/manifest";
import type { VNode } from "preact";
import type { Follow } from "../result/content-view.js";

/** The files of a skill with their sizes, as clients list them. */
export function SkillFiles({ skill: { uri, resources }, follow }: { skill: Skill; follow: Follow }): VNode {
  if (resources === "dynamic")
    return (
      <p class="hint">
        A method generates this skill, so clients cannot verify its files.{" "}
        <button type="button" class="link" onClick={() => follow(uri)}>
          SKILL.md
        </button>
      </p>
    );
  const folder = uri.slice(0, uri.lastIndexOf("/") + 1);
  return (
    <section aria-label="Files of the skill">
      <ul class="files">
        {resources.map((file) => (
          <li key={file.uri}>
            <button type="button" class="link" onClick={() => follow(file.uri)}>
              {decodeURIComponent(file.uri.slice(folder.length))}
            </button>{" "}
            <span class="hint">{file.size} bytes</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
