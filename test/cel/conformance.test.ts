import { describe, expect, it } from "vitest";
import { CompiledExpression, Environment } from "../../runtime/cel/environment.ts";
import { bindingsLibrary } from "../../runtime/cel/libraries/bindings.ts";
import { declare, global, type Library, member } from "../../runtime/cel/libraries/library.ts";
import { optionalsLibrary } from "../../runtime/cel/libraries/optionals.ts";
import { setsLibrary } from "../../runtime/cel/libraries/sets.ts";
import { standardLibrary } from "../../runtime/cel/libraries/standard/standard.ts";
import { stringsLibrary } from "../../runtime/cel/libraries/strings.ts";
import { twoVariableComprehensionsLibrary } from "../../runtime/cel/libraries/two-variable-comprehensions.ts";
import { type CelType, formatType } from "../../runtime/cel/types/cel-type.ts";
import { numeric } from "../../runtime/cel/values/compare.ts";
import { equalValues } from "../../runtime/cel/values/equality.ts";
import { toDynamic } from "../../runtime/cel/values/json.ts";
import { typeNameOf } from "../../runtime/cel/values/kinds.ts";
import {
  type ConformanceTest,
  conformanceSuites,
  type Declaration,
  needsMessages,
  readType,
  readValue,
  type ValueJson,
} from "./conformance-data.ts";

/** Suites that test only features that this server does not need. */
const LEFT_OUT: Record<string, string> = {
  proto2: "protobuf messages",
  proto2_ext: "protobuf extensions",
  proto3: "protobuf messages",
  wrappers: "protobuf wrapper messages",
  dynamic: "protobuf wrapper and struct messages",
  enums: "protobuf enums",
  block_ext: "cel.@block, a form only optimizers write",
  unknowns: "the data holds no tests",
  math_ext: "math.*, which Kubernetes does not offer",
  encoders_ext: "base64.*, which Kubernetes does not offer",
};

/** Tests that a Kubernetes v1.33 server would fail as well. */
const UNLIKE_KUBERNETES: Record<string, string> = {
  "value_errors/indexof_out_of_range": "Kubernetes answers -1",
  "value_errors/lastindexof_out_of_range": "Kubernetes answers -1",
  "last_index_of/empty_string": "Kubernetes reports the index -1",
  "duration_converters/get_milliseconds": "Kubernetes answers the whole duration in milliseconds",
  "qualified_identifier_resolution/map_key_float": "Kubernetes accepts keys that are doubles",
  "qualified_identifier_resolution/map_value_repeat_key": "of entries of one key Kubernetes takes the last",
  "qualified_identifier_resolution/map_value_repeat_key_heterogeneous":
    "of entries of one key Kubernetes takes the last",
  "optionals/map_null_entry_no_such_key": "a value without fields has no field to Kubernetes",
  "optionals/map_present_key_invalid_field": "a value without fields has no field to Kubernetes",
};

const LIBRARIES = [
  standardLibrary({ crossTypeComparisons: true }),
  optionalsLibrary,
  bindingsLibrary,
  twoVariableComprehensionsLibrary,
  stringsLibrary(3),
  setsLibrary,
];

function environmentOf(test: ConformanceTest): Environment {
  const variables: Record<string, CelType> = {};
  const functions: Library = { name: "test", functions: [] };
  const declared = [];
  for (const declaration of test.typeEnv ?? []) {
    if (declaration.ident !== undefined) variables[declaration.name] = readType(declaration.ident.type);
    else declared.push(functionOf(declaration));
  }
  for (const name of Object.keys(test.bindings ?? {})) variables[name] ??= { kind: "dyn" };
  return new Environment({
    variables,
    libraries: [...LIBRARIES, { ...functions, functions: declared }],
    homogeneousLiterals: false,
    quotedFields: true,
    ...(test.container === undefined ? {} : { container: test.container }),
  });
}

function functionOf(declaration: Declaration) {
  const overloads = (declaration.function?.overloads ?? []).map((overload) => {
    const make = overload.isInstanceFunction ? member : global;
    return make(overload.overloadId, (overload.params ?? []).map(readType), readType(overload.resultType), () => null);
  });
  return declare(declaration.name, ...overloads);
}

function run(test: ConformanceTest): void {
  const typeCheck = test.disableCheck !== true;
  const compiled = environmentOf(test).compile(test.expr, { typeCheck });
  const failed = !(compiled instanceof CompiledExpression);
  if (failed && test.evalError !== undefined) return;
  if (failed) throw new Error(compiled.map((issue) => issue.display).join("\n"));
  const deduced = test.typedResult?.deducedType;
  if (deduced !== undefined) expect(formatType(compiled.resultType)).toBe(formatType(readType(deduced)));
  if (test.checkOnly === true) return;
  const bindings = Object.fromEntries(
    Object.entries(test.bindings ?? {}).map(([name, { value }]) => [name, readValue(value)]),
  );
  const evaluation = compiled.evaluate(bindings, { budget: Number.POSITIVE_INFINITY });
  if (test.evalError !== undefined) {
    expect(evaluation).toMatchObject({ ok: false });
    return;
  }
  if (!evaluation.ok) throw evaluation.error;
  expectValue(
    toDynamic(evaluation.value, compiled.resultType),
    test.value ?? test.typedResult?.result ?? { boolValue: true },
  );
}

function expectValue(actual: unknown, expected: ValueJson): void {
  const wanted = readValue(expected);
  const nan = [actual, wanted].every((value) => Number.isNaN(numeric(value)));
  if (!nan && !equalValues(actual, wanted)) throw new Error(`got ${show(actual)} instead of ${show(wanted)}`);
  expect(typeNameOf(actual)).toBe(typeNameOf(wanted));
}

const show = (value: unknown) =>
  `${typeNameOf(value)} ${JSON.stringify(value, (_key, inner) => (typeof inner === "bigint" ? `${inner}n` : inner))}`;

describe("the public conformance data of CEL", () => {
  const left: string[] = [];
  for (const suite of conformanceSuites()) {
    const reason = LEFT_OUT[suite.name];
    if (reason !== undefined) {
      left.push(`${suite.name}: all ${suite.tests.length}, ${reason}`);
      continue;
    }
    const plain = suite.tests.filter((test) => !needsMessages(test));
    if (plain.length < suite.tests.length)
      left.push(`${suite.name}: ${suite.tests.length - plain.length} of ${suite.tests.length}, protobuf messages`);
    const usable = plain.filter((test) => UNLIKE_KUBERNETES[test.path] === undefined);
    for (const { path } of plain)
      if (UNLIKE_KUBERNETES[path] !== undefined) left.push(`${suite.name}: ${path}, ${UNLIKE_KUBERNETES[path]}`);
    describe(suite.name, () => {
      for (const test of usable) it(`${test.path}: ${test.expr.slice(0, 80)}`, () => run(test));
    });
  }

  it("is run except for what is listed here", () => {
    console.info(`Left out of the conformance data:\n  ${left.join("\n  ")}`);
    expect(left.length).toBeGreaterThan(0);
  });
});
