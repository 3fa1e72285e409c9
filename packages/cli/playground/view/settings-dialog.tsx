import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { parseClaims, isModern, REVISIONS } from "../state/notes.js";
import type { Playground } from "../state/playground.js";
import { Dialog } from "../controls/dialog.js";
import { TextLine } from "../controls/text-line.js";

/** The settings of the connection: the protocol revision, the caller, and the roots. */
export function SettingsDialog({ playground, onClose }: { playground: Playground; onClose(): void }): VNode {
  const [settings, setSettings] = useState(playground.notes.value.settings);
  const { revision, subject, scopes, claims, roots } = settings;
  const isWrong = parseClaims(claims) === undefined;
  return (
    <Dialog title="Connection" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isWrong) return;
          playground.setSettings({ ...settings, roots: roots.map((each) => each.trim()).filter(Boolean) });
          onClose();
        }}
      >
        <div class="field">
          <label for="revision">Protocol revision</label>
          <select
            id="revision"
            value={revision}
            onChange={({ currentTarget }) => setSettings({ ...settings, revision: currentTarget.value })}
          >
            {REVISIONS.map((each) => (
              <option key={each} value={each}>
                {each} {isModern(each) ? "(modern: no sessions)" : "(legacy: sessions)"}
              </option>
            ))}
          </select>
        </div>
        <TextLine
          id="subject"
          label="Act as"
          placeholder="anonymous"
          hint="The subject of the principal. The playground requires no token."
          value={subject}
          onChange={(next) => setSettings({ ...settings, subject: next.trim() })}
        />
        <TextLine
          id="scopes"
          label="Scopes"
          placeholder="orders:read orders:write"
          value={scopes}
          onChange={(next) => setSettings({ ...settings, scopes: next })}
        />
        <TextLine
          id="claims"
          label="Claims"
          placeholder={'{"role":"manager"}'}
          hint={isWrong ? "Enter a JSON object." : "Other claims that a token would contain."}
          value={claims}
          onChange={(next) => setSettings({ ...settings, claims: next })}
        />
        <div class="field">
          <label for="roots">Roots</label>
          <textarea
            id="roots"
            class="code"
            rows={3}
            spellcheck={false}
            placeholder="file:///home/ada/project"
            value={roots.join("\n")}
            aria-describedby="roots-about"
            onInput={({ currentTarget }) =>
              setSettings({ ...settings, roots: currentTarget.value.split("\n") })
            }
          />
          <p class="hint" id="roots-about">
            Roots that the server receives on request, one URI per line.
          </p>
        </div>
        <div class="actions">
          <button type="submit" class="main">
            Connect
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
