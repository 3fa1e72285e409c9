import { defineEvals } from "@tenon/cli/testing";

/** Prompts whose tools are easily confused: `npx tenon eval` shows which of them a model chooses. */
export default defineEvals({
  cases: [
    // Direct prompts, which name the task.
    {
      prompt: "Stage README.md and src/app.ts.",
      tool: "git_add",
      arguments: { files: ["README.md", "src/app.ts"] },
    },
    {
      prompt: "Create a branch called topic from v1.2.",
      tool: "git_create_branch",
      arguments: { branch_name: "topic", base_branch: "v1.2" },
    },
    { prompt: "Show me the last five commits.", tool: "git_log", arguments: { max_count: 5 } },
    {
      prompt: "Commit this with the message 'Fix the clock'.",
      tool: "git_commit",
      arguments: { message: /^Fix the clock/ },
    },
    {
      prompt: "Which branches contain the commit 3f2a91c?",
      tool: "git_branch",
      arguments: { contains: "3f2a91c" },
    },
    // Indirect prompts, which only imply it.
    { prompt: "What would go into my next commit?", tool: ["git_diff_staged", "git_status"] },
    {
      prompt: "What have I changed since I last staged something?",
      tool: ["git_diff_unstaged", "git_status"],
    },
    {
      prompt: "How does the branch topic differ from main?",
      tool: "git_diff",
      arguments: { target: /topic/ },
    },
    {
      prompt: "Who broke the build in abc1234, and how?",
      tool: "git_show",
      arguments: { revision: "abc1234" },
    },
    { prompt: "I staged too much. Take it all out again.", tool: "git_reset" },
    // A question is not an order to change anything.
    { prompt: "Is it time to commit?", not: ["git_commit", "git_commit_signed", "git_add", "git_reset"] },
    { prompt: "Explain what a rebase is.", tool: null },
  ],
  thresholds: { accuracy: 0.8, precision: 0.9 },
});
