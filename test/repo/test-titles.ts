import { ts } from "ts-morph";

/** A text in a file, with the number of its line. */
export interface Excerpt {
  readonly line: number;
  readonly text: string;
}

/**
 * Returns the titles of the tests and groups in a file, wherever they are: those in calls of `test`, `it`, and `describe`,
 * and those in tables. In a table, a title is a key of an object that is not a single word, or the text of a row whose
 * test has a title such as `%s` or `$name` that begins with it.
 *
 * @example
 * test.each(Object.entries({ "a late answer": 1 }))("%s", run); // "%s", "a late answer"
 */
export function titlesIn(node: ts.Node): Excerpt[] {
  const found = [...titlesOfCall(node), ...titleOfKey(node)];
  ts.forEachChild(node, (child) => void found.push(...titlesIn(child)));
  return found;
}

function excerpt(node: ts.Node, text: string): Excerpt {
  return { line: node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1, text };
}

function titlesOfCall(node: ts.Node): Excerpt[] {
  if (!ts.isCallExpression(node) || !/^(?:test|it|describe)\b/.test(node.expression.getText())) return [];
  const [title] = node.arguments;
  if (title && ts.isTemplateExpression(title)) return [excerpt(title, title.head.text)];
  if (!title || !ts.isStringLiteralLike(title)) return [];
  const table = ts.isCallExpression(node.expression) ? node.expression.arguments[0] : undefined;
  const [placeholder] = /^(?:%[sj]|\$\w+)/.exec(title.text) ?? [];
  const rows = table && placeholder !== undefined ? titlesOfRows(table, placeholder.slice(1)) : [];
  return [excerpt(title, title.text), ...rows];
}

/** Returns the titles of the rows in the literal of a table: strings, the first strings of lists, or a member of objects. */
function titlesOfRows(table: ts.Expression, member: string): Excerpt[] {
  const list = ts.isAsExpression(table) ? table.expression : table;
  if (!ts.isArrayLiteralExpression(list)) return [];
  return list.elements.flatMap((row) => {
    const text = ts.isArrayLiteralExpression(row)
      ? row.elements[0]
      : ts.isObjectLiteralExpression(row)
        ? findMember(row, member)
        : row;
    return text && ts.isStringLiteralLike(text) ? [excerpt(text, text.text)] : [];
  });
}

function findMember(row: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  const member = row.properties.find((each) => each.name?.getText() === name);
  return member && ts.isPropertyAssignment(member) ? member.initializer : undefined;
}

function titleOfKey(node: ts.Node): Excerpt[] {
  const isMember = ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node);
  if (!isMember || !ts.isStringLiteralLike(node.name) || !node.name.text.includes(" ")) return [];
  return [excerpt(node.name, node.name.text)];
}
