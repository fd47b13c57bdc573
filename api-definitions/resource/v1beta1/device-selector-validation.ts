import {
  ANY,
  type CelType,
  CompiledExpression,
  createEnvironment,
  declaredTypeName,
  formatIssues,
  isAny,
  mapOf,
  newExpressionsVersion,
  STRING,
} from "../../../runtime/cel/cel.ts";
import type { PathTypes } from "../../../runtime/cel/cost/path-sizes.ts";
import { bindingsLibrary } from "../../../runtime/cel/libraries/bindings.ts";
import { QUANTITY_TYPE } from "../../../runtime/cel/libraries/quantity.ts";
import { semverLibrary } from "../../../runtime/cel/libraries/semver.ts";
import type { StructField, StructType } from "../../../runtime/cel/types/cel-type.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import {
  forbiddenField,
  internalErrorField,
  invalidField,
  requiredField,
  tooLongField,
} from "../../../runtime/values/field-errors.ts";
import { validateEach } from "./device-checks.ts";
import type { DeviceSelector } from "./devices.ts";

const MAX_SELECTORS = 32;
const MAX_EXPRESSION = 10 * 1024;
const MAX_COST = 1_000_000;
/** Maximum lengths of strings of a device, and maximum number of attributes or capacities; for cost estimates. */
const MAX = { driver: 63, domain: 63, id: 32, attribute: 64, entries: 32 };
const LIBRARIES = [bindingsLibrary, semverLibrary];

/** Whether an expression is stored already, and the release whose rules apply to it. */
export interface Standing {
  readonly isStored: boolean;
  readonly release: string;
}

/**
 * Validates expressions that select devices. Stored expressions may use everything this release knows; new ones only what the
 * previous release knows as well, so that a rollback works.
 */
export function validateSelectors(
  selectors: readonly DeviceSelector[] | undefined,
  standing: Standing,
  path: string,
  errors: FieldError[],
): void {
  validateEach(
    selectors,
    MAX_SELECTORS,
    (selector, at, found) => validateSelector(selector, standing, at, found),
    path,
    errors,
  );
}

function validateSelector({ cel }: DeviceSelector, standing: Standing, path: string, errors: FieldError[]): void {
  if (cel === undefined) {
    errors.push(requiredField(`${path}.cel`));
    return;
  }
  const { expression = "" } = cel;
  const field = `${path}.cel.expression`;
  if (Buffer.byteLength(expression) > MAX_EXPRESSION) {
    errors.push(tooLongField(field, MAX_EXPRESSION));
    return;
  }
  const version = standing.isStored ? "latest" : newExpressionsVersion(standing.release as `1.${number}`);
  const environment = createEnvironment({
    variables: { device: DEVICE },
    version,
    libraries: LIBRARIES,
    paths: PATHS,
  });
  const result = environment.compile(expression);
  if (!(result instanceof CompiledExpression)) {
    errors.push(invalidField(field, expression, `compilation failed: ${formatIssues(result)}`));
  } else if (result.resultType.kind !== "bool" && !isAny(result.resultType)) {
    const detail = `must evaluate to bool or the unknown type, not ${declaredTypeName(result.resultType)}`;
    errors.push(invalidField(field, expression, detail));
  } else if (result.programError !== undefined) {
    errors.push(internalErrorField(field, `program instantiation failed: ${result.programError}`));
  } else if (result.estimatedCost.max > MAX_COST) {
    errors.push(forbiddenField(field, "too complex, exceeds cost limit"));
  }
}

const ATTRIBUTE = bounded(ANY, MAX.attribute);

/** Attributes and capacities are looked up by domain, then by name. */
const DEVICE = device({
  driver: bounded(STRING, MAX.driver),
  attributes: byDomain(ATTRIBUTE),
  capacity: byDomain(QUANTITY_TYPE),
});

/** Attributes that are selected like fields have the maximum length in cost estimates; capacities have none. */
const PATHS: PathTypes = {
  root: (name) => (name === "device" ? DEVICE : undefined),
  entry: ({ value }) => (value === ATTRIBUTE ? value : undefined),
};

function byDomain(value: CelType): CelType {
  const byName = bounded(mapOf(bounded(STRING, MAX.id), value), MAX.entries);
  return bounded(mapOf(bounded(STRING, MAX.domain), byName), MAX.entries);
}

/** Adds the bounds by which the cost of expressions is estimated. */
function bounded<T extends CelType>(type: T, maxElements: number): T {
  return { ...type, bounds: { maxElements, minSerializedSize: 0 } };
}

function device(members: Readonly<Record<string, CelType>>): StructType {
  const fields = new Map<string, StructField>(
    Object.entries(members).map(([jsonName, type]) => [jsonName, { jsonName, type }]),
  );
  const find = (name: string) => fields.get(name);
  const name = "kubernetes.DRADevice";
  return { kind: "struct", name, identity: name, field: find, property: find, fields: () => fields.values() };
}
