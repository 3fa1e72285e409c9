import type { RequestId } from "../../protocol/jsonrpc.js";

const QUESTION_ID = /^tenon\.\d{1,9}\.([\da-f-]{36})\.([\w.-]{1,1500})$/;

/** What the id of a question says: whoever gets the answer finds the call by it. */
export interface QuestionPlace {
  readonly callId: string;
  /** That of the call. */
  readonly stream: string;
}

/** @param number that of the question among those of its call */
export function questionId({ callId, stream }: QuestionPlace, number: number): string {
  return `tenon.${number}.${callId}.${stream}`;
}

/** The place of a question with that id; `undefined` for any other id. */
export function questionPlace(id: RequestId): QuestionPlace | undefined {
  const [, callId, stream] = QUESTION_ID.exec(String(id)) ?? [];
  return callId === undefined || stream === undefined ? undefined : { callId, stream };
}
