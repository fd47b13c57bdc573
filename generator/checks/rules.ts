import { closest } from "../../runtime/lib/did-you-mean.ts";
import type { TypeExpr, ValidationRule } from "../model/contract.ts";
import { describeType, typeAt } from "../model/type-walk.ts";
import type { Location } from "../reader/syntax.ts";
import type { CheckContext } from "./check-context.ts";
import { valueSites } from "./value-sites.ts";

/** Compiles every CEL rule against its type. */
export function checkRules(context: CheckContext): void {
  const { model, diagnostics, checkRule } = context;
  for (const { type, markers, at } of valueSites(model)) {
    for (const rule of markers.rules ?? []) {
      checkOptions(context, type, rule, at);
      const problem = checkRule(model, type, rule);
      if (problem !== undefined) diagnostics.report("rule-invalid", { ...at, text: rule.rule }, { problem });
    }
  }
}

const REASONS = ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"];
const OPTIONS: { readonly [option: string]: "string" | "boolean" } = {
  messageExpression: "string",
  reason: "string",
  fieldPath: "string",
  optionalOldSelf: "boolean",
};

function checkOptions({ model, diagnostics }: CheckContext, type: TypeExpr, rule: ValidationRule, at: Location): void {
  const report = (option: string, problem: string, expected: string, meant?: string): void =>
    diagnostics.report("rule-option", at, { option, problem, expected }, meant);
  const { rule: _, message: __, ...options } = rule;
  for (const [option, value] of Object.entries(options)) {
    const wanted = Object.hasOwn(OPTIONS, option) ? OPTIONS[option] : undefined;
    const known = Object.keys(OPTIONS);
    if (wanted === undefined) report(option, "not known", `one of ${known.join(", ")}`, closest(option, known));
    else if (typeof value !== wanted) report(option, JSON.stringify(value), wanted === "string" ? "a string" : "true");
  }
  const { reason, fieldPath } = options;
  if (typeof reason === "string" && !REASONS.includes(reason))
    report("reason", JSON.stringify(reason), `one of ${REASONS.join(", ")}`, closest(reason, REASONS));
  if (typeof fieldPath === "string" && typeAt(model, type, fieldPath) === undefined)
    report(
      "fieldPath",
      `${JSON.stringify(fieldPath)}, which ${describeType(type)} does not have`,
      "a path of fields, like .size",
    );
}
