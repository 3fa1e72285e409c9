import type { JsonSchema } from "@tenon/runtime/manifest";

/** The values that a model must construct for the smallest valid call. */
export interface InvocationCost {
  /** Required properties anywhere in the required part, including those that contain others. */
  requiredFields: number;
  /** Levels of objects: 1 for a flat object, 0 without properties. */
  depth: number;
  /** The branches to choose between: for each union, their number less one. `null` does not count as a branch. */
  unionChoices: number;
  /** The sum, in which each level after the first and each choice counts twice. */
  cost: number;
}

/** Deeper levels are not counted, as the specification of the score requires. */
const MAX_DEPTH = 10;

/**
 * Estimates how much work a model has to fill in the arguments of a tool. Only required properties count.
 *
 * @example
 * measureInvocation({ type: "object", properties: { city: { type: "string" } }, required: ["city"] }).cost // 1
 * @see https://github.com/glama-ai/tool-definition-quality-score#invocation-cost
 */
export function measureInvocation(schema: JsonSchema): InvocationCost {
  const isEmpty = Object.keys(schema.properties ?? {}).length === 0;
  const { requiredFields, depth, unionChoices } = isEmpty ? NOTHING : measure(schema, schema, new Set(), 0);
  return {
    requiredFields,
    depth,
    unionChoices,
    cost: requiredFields + 2 * Math.max(0, depth - 1) + 2 * unionChoices,
  };
}

type Measurement = Omit<InvocationCost, "cost">;

const NOTHING: Measurement = { requiredFields: 0, depth: 0, unionChoices: 0 };

/**
 * Measures a schema and what is required inside it.
 *
 * @param visited the references on the way from the root, so that recursion ends
 * @param level the number of objects on the way from the root
 */
function measure(
  schema: JsonSchema,
  root: JsonSchema,
  visited: ReadonlySet<string>,
  level: number,
): Measurement {
  if (level >= MAX_DEPTH) return NOTHING;
  const { $ref, properties = {}, required = [], items } = schema;
  if ($ref !== undefined) {
    const target = visited.has($ref) ? undefined : findDefinition($ref, root);
    return target ? measure(target, root, new Set([...visited, $ref]), level) : NOTHING;
  }
  const isObject = Object.keys(properties).length > 0;
  const inside = isObject ? level + 1 : level;
  const members = required.flatMap((name) => {
    const member = properties[name];
    return typeof member === "object" ? [measure(member, root, visited, inside)] : [];
  });
  const elements =
    typeof items === "object" && !Array.isArray(items) ? [measure(items, root, visited, level)] : [];
  const all = (schema.allOf ?? []).map((each) => measure(each, root, visited, level));
  const unions = [schema.oneOf, schema.anyOf].flatMap((branches) =>
    branches ? [measureUnion(branches, (each) => measure(each, root, visited, level))] : [],
  );
  const siblings = [...elements, ...all, ...unions];
  const parts = [...members, ...siblings];
  return {
    requiredFields: members.length + sum(parts.map((each) => each.requiredFields)),
    depth: Math.max(isObject ? 1 + Math.max(0, ...members.map(getDepth)) : 0, ...siblings.map(getDepth)),
    unionChoices: sum(parts.map((each) => each.unionChoices)),
  };
}

function measureUnion(
  branches: readonly JsonSchema[],
  visit: (branch: JsonSchema) => Measurement,
): Measurement {
  const real = branches.filter(({ type }) => type !== "null");
  const measurements = real.map(visit);
  return {
    requiredFields: Math.max(0, ...measurements.map((each) => each.requiredFields)),
    depth: Math.max(0, ...measurements.map(getDepth)),
    unionChoices: Math.max(0, real.length - 1) + sum(measurements.map((each) => each.unionChoices)),
  };
}

function findDefinition(reference: string, root: JsonSchema): JsonSchema | undefined {
  const path = reference.replace(/^#\/?/, "").split("/");
  let value: unknown = root;
  for (const step of path.filter(Boolean))
    value = (value as Record<string, unknown> | undefined)?.[
      decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")
    ];
  return typeof value === "object" && value !== null ? (value as JsonSchema) : undefined;
}

const getDepth = ({ depth }: Measurement): number => depth;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
