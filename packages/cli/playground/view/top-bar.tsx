import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Playground, Status } from "../state/playground.js";
import { SettingsDialog } from "./settings-dialog.js";

/** The name and state of the server, and the settings of the connection. */
export function TopBar({ playground }: { playground: Playground }): VNode {
  const [isOpen, setOpen] = useState(false);
  const status = playground.status.value;
  const { settings } = playground.notes.value;
  const { info } = status.server ?? {};
  return (
    <header class="top">
      <div class="bar">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M6 8h20v7h-6.5v9h-7v-9H6z" />
        </svg>
        <h1>
          {info?.title ?? info?.name ?? (status.project || "Tenon playground")}
          {info && <span class="version">{info.version}</span>}
        </h1>
        <StatusText status={status} />
        <button type="button" class="connection" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <span>{settings.revision}</span>
          <span class={settings.subject === "" ? "caller anonymous" : "caller"}>
            {settings.subject === "" ? "anonymous" : `as ${settings.subject}`}
          </span>
        </button>
      </div>
      <Problems status={status} />
      {isOpen && <SettingsDialog playground={playground} onClose={() => setOpen(false)} />}
    </header>
  );
}

function Problems({ status: { state, problem, broken } }: { status: Status }): VNode | null {
  if (problem === undefined && broken.length === 0) return null;
  const texts = problem === undefined ? broken.map((each) => each.problem) : [problem];
  return (
    <div class="banner" role="alert">
      <strong>
        {problem === undefined
          ? "Calls to declarations with errors return the errors. Everything else works."
          : state === "serving"
            ? "The last edit was not applied."
            : "The server is not available."}
      </strong>
      <pre tabIndex={0} role="region" aria-label="Errors">
        {[...new Set(texts)].join("\n\n")}
      </pre>
    </div>
  );
}

function StatusText({ status: { state, build, problem } }: { status: Status }): VNode {
  const text = {
    connecting: problem === undefined ? "Starting…" : "Not running",
    serving: problem === undefined ? `Version ${build}` : `Version ${build} still running`,
    away: "tenon dev has stopped",
  }[state];
  const tone = state === "away" ? "bad" : problem !== undefined ? "warn" : state === "serving" ? "good" : "";
  return (
    <p class={`status ${tone}`}>
      <span class="dot" aria-hidden="true" />
      {text}
    </p>
  );
}
