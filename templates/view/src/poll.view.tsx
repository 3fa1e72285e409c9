import type { ViewProps } from "@tenon/runtime/view";
import { useState } from "preact/hooks";
import type { Poll, Polls } from "./polls.js";
import "./poll.css";

export default function PollView({ result, error, app }: ViewProps<Polls, "ask">) {
  const [voted, setVoted] = useState<Poll>();
  const [problem, setProblem] = useState("");
  if (error) return <p role="alert">{error.message}</p>;
  if (!result) return <p>Preparing the question…</p>;

  const vote = async (choice: string) => {
    try {
      setVoted(await app.call.vote({ choice }));
      await app.sendMessage(`I choose "${choice}".`);
    } catch (failure) {
      setProblem((failure as Error).message);
    }
  };
  const { question, choices } = voted ?? result;
  return (
    <main>
      <h1>{question}</h1>
      {choices.map(({ text, votes }) => (
        <button key={text} disabled={voted !== undefined} onClick={() => void vote(text)}>
          <span>{text}</span>
          <span>{votes}</span>
        </button>
      ))}
      {problem && <p role="alert">{problem}</p>}
    </main>
  );
}
