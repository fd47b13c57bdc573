import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { since } from "../../../runtime/values/human-duration.ts";
import {
  validateClassName,
  validateDriverName,
  validateLabelText,
  validatePoolName,
  validateTaint,
} from "../v1beta1/device-checks.ts";
import { type Standing, validateSelectors } from "../v1beta1/device-selector-validation.ts";
import { defaultTaintTime } from "../v1beta1/device-taint-defaults.ts";
import type { DeviceTaintRule, DeviceTaintRuleSpec, DeviceTaintSelector } from "./device-taint-rule.ts";

const NO_SPEC = {} as DeviceTaintRuleSpec;

export const hooks = kindHooks<DeviceTaintRule>({
  validate: ({ spec }, { release }) =>
    collectErrors((errors) => validateRule(spec ?? NO_SPEC, undefined, release, errors)),
  cells: ({ spec }, { now }) => ({
    TimeAdded: spec?.taint?.timeAdded === undefined ? "" : since(spec.taint.timeAdded, now),
  }),
  defaults: {
    times: ({ spec }, now) => defaultTaintTime(spec?.taint, now),
  },
  validation: {
    update: ({ spec }, old, { release }) =>
      collectErrors((errors) => validateRule(spec ?? NO_SPEC, old.spec, release, errors)),
  },
  compatibility: {
    order: { update: ["metadataAsChange", "declared", "update"] },
  },
});

function validateRule(
  spec: DeviceTaintRuleSpec,
  old: DeviceTaintRuleSpec | undefined,
  release: string,
  errors: FieldError[],
): void {
  const selector = spec.deviceSelector;
  const isStored = old?.deviceSelector !== undefined && equalMeaning(selector?.selectors, old.deviceSelector.selectors);
  if (selector !== undefined) validateTaintSelector(selector, { isStored, release }, "spec.deviceSelector", errors);
  validateTaint(spec.taint ?? {}, "spec.taint", errors);
}

function validateTaintSelector(
  { deviceClassName, driver, pool, device, selectors }: DeviceTaintSelector,
  standing: Standing,
  path: string,
  errors: FieldError[],
): void {
  if (deviceClassName !== undefined) validateClassName(deviceClassName, `${path}.deviceClassName`, errors);
  if (driver !== undefined) validateDriverName(driver, `${path}.driver`, errors);
  if (pool !== undefined) validatePoolName(pool, `${path}.pool`, errors);
  if (device !== undefined) validateLabelText(device, `${path}.device`, errors);
  validateSelectors(selectors, standing, `${path}.selectors`, errors);
}
