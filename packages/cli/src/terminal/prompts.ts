import { updateSettings } from "@clack/prompts";

// Ctrl-D ends the input, so a prompt would never receive an answer.
updateSettings({ aliases: { "\u0004": "cancel" } });

export { confirm, isCancel, log, multiselect, select, text } from "@clack/prompts";
