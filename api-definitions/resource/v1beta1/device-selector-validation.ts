import {
  BOOL,
  type CelType,
  CompiledExpression,
  createEnvironment,
  DYN,
  formatIssues,
  mapOf,
  newExpressionsVersion,
  STRING,
} from "../../../runtime/cel/cel.ts";
import { QUANTITY_TYPE } from "../../../runtime/cel/libraries/quantity.ts";
import type { StructField, StructType } from "../../../runtime/cel/types/cel-type.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { invalidField, requiredField, tooLongField } from "../../../runtime/lib/field-errors.ts";
import { release } from "../../release.ts";
import { validateEach } from "./device-checks.ts";
import type { DeviceSelector } from "./devices.ts";

const MAX_SELECTORS = 32;
const MAX_EXPRESSION = 10 * 1024;

/** Expressions that pick devices. Those that are stored already are held to what any server understands. */
export function validateSelectors(
  selectors: readonly DeviceSelector[] | undefined,
  isStored: boolean,
  path: string,
  errors: FieldError[],
): void {
  validateEach(
    selectors,
    MAX_SELECTORS,
    (selector, at, found) => validateSelector(selector, isStored, at, found),
    path,
    errors,
  );
}

function validateSelector({ cel }: DeviceSelector, isStored: boolean, path: string, errors: FieldError[]): void {
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
  const version = isStored ? "latest" : newExpressionsVersion(release.release as `1.${number}`);
  const result = createEnvironment({ variables: { device: DEVICE }, version }).compile(expression, {
    expectedType: BOOL,
  });
  if (result instanceof CompiledExpression) return;
  const isResult = result.every((issue) => issue.code === "result");
  errors.push(
    invalidField(field, expression, isResult ? formatIssues(result) : `compilation failed: ${formatIssues(result)}`),
  );
}

/** Attributes and capacities are looked up by domain, then by name. */
const DEVICE = device({
  driver: STRING,
  attributes: mapOf(STRING, mapOf(STRING, DYN)),
  capacity: mapOf(STRING, mapOf(STRING, QUANTITY_TYPE)),
});

function device(members: Readonly<Record<string, CelType>>): StructType {
  const fields = new Map<string, StructField>(
    Object.entries(members).map(([jsonName, type]) => [jsonName, { jsonName, type }]),
  );
  const find = (name: string) => fields.get(name);
  const name = "kubernetes.DRADevice";
  return { kind: "struct", name, identity: name, field: find, property: find, fields: () => fields.values() };
}
