/**
 * The client of views: user interfaces for the results of tools, which hosts such as Claude and ChatGPT display.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 * @module
 */
import { type AnyViewProps, mountView, type ViewInfo } from "./view-client.js";

export { mountView } from "./view-client.js";
export { loadState, saveState, type StateOwner } from "./view-state.js";
export { readAny, readContent, readData, readNothing, readText, readWrappedData } from "./tool-value.js";
export type { HostTool, ReadToolValue } from "./tool-value.js";
export type { ViewError, ViewErrorCode } from "./view-error.js";
export type {
  AnyViewProps,
  DisplayMode,
  HostContext,
  ViewClient,
  ViewHost,
  ViewInfo,
} from "./view-client.js";
export type {
  MethodName,
  MountedApp,
  ViewApp,
  ViewCalls,
  ViewProps,
  ViewTool,
  ViewTools,
} from "./view-props.js";

/**
 * Starts a view that is rendered again whenever its props change. The build calls it for components.
 *
 * @param render renders the view; without props, removes what it rendered
 */
export function startView(info: ViewInfo, render: (props?: AnyViewProps) => void): void {
  mountView(info, (app) => {
    app.subscribe(render);
    return render;
  });
}
