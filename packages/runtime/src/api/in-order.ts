/** Combines several steps into one. The first is the outermost, and each decides whether to run the next. */
export function inOrder<Call, Result>(
  steps: readonly ((call: Call, next: () => Result) => Result)[],
): (call: Call, serve: () => Result) => Result {
  return (call, serve) => {
    const from = (index: number): Result =>
      steps[index] === undefined ? serve() : steps[index](call, () => from(index + 1));
    return from(0);
  };
}
