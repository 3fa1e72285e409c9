import type { VNode } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { createDrafts } from "../state/drafts.js";
import type { Playground } from "../state/playground.js";
import { createSelection, type Pane } from "../state/selection.js";
import { EntryPage } from "./entry-page.js";
import { createFollow } from "./follow.js";
import { Overview } from "./overview.js";
import { QuestionDialog } from "../question/question-dialog.js";
import { Sidebar } from "./sidebar.js";
import { TimelinePanel } from "./timeline-panel.js";
import { TopBar } from "./top-bar.js";

const PANES: readonly (readonly [Pane, string])[] = [
  ["list", "Server"],
  ["entry", "Call"],
  ["messages", "Messages"],
];

/** The whole page. */
export function App({ playground }: { playground: Playground }): VNode {
  const selection = useMemo(() => createSelection(playground.entries), [playground]);
  const drafts = useMemo(() => createDrafts(sessionStorage), []);
  const follow = createFollow(playground, drafts, selection);
  const entry = selection.entry.value;
  const { project, build } = playground.status.value;
  const question = playground.questions.open.value[0];
  useEffect(() => {
    document.title = [entry?.name, project, "Tenon playground"].filter(Boolean).join(" · ");
  }, [entry?.name, project]);
  return (
    <div class="page" data-pane={selection.pane.value}>
      <a class="skip" href="#main" onClick={(event) => focusMain(event)}>
        Skip to main content
      </a>
      <TopBar playground={playground} />
      <Sidebar playground={playground} selection={selection} follow={follow} />
      <main id="main" tabIndex={-1}>
        {entry ? (
          <EntryPage
            key={`${entry.kind} ${entry.key}`}
            playground={playground}
            entry={entry}
            draft={drafts.get(entry)}
            follow={follow}
          />
        ) : (
          <Overview playground={playground} notFound={selection.notFound.value} />
        )}
      </main>
      <TimelinePanel timeline={playground.timeline} />
      <nav class="panes" aria-label="Page sections">
        {PANES.map(([pane, label]) => (
          <button
            key={pane}
            type="button"
            aria-current={selection.pane.value === pane ? "page" : undefined}
            onClick={() => selection.show(pane)}
          >
            {label}
          </button>
        ))}
      </nav>
      {question && <QuestionDialog key={question.number} question={question} />}
      <p class="unseen" role="status">
        {build > 1 && `Version ${build} of the server. `}
        {playground.changes.value.summary}
      </p>
    </div>
  );
}

function focusMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#main")?.focus();
}
