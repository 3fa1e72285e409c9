import type { VNode } from "preact";
import type { Question } from "../state/questions.js";
import { ElicitationDialog } from "./elicitation-dialog.js";
import { SamplingDialog } from "./sampling-dialog.js";

/** The dialog for a question from the server. */
export function QuestionDialog({ question }: { question: Question }): VNode {
  return question.kind === "sampling" ? (
    <SamplingDialog question={question} />
  ) : (
    <ElicitationDialog question={question} />
  );
}
